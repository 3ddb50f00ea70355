package lottery.api.strategy;

import java.util.List;

/**
 * Awards that a user's draws pick from instead of the whole table, after a certain number of draws in the activity.
 *
 * @param from the number of the user's draw in the activity that reaches this tier, counted from 1
 * @param awardIds the awards that a draw picks from, in proportion to their rates
 */
public record Tier(int from, List<Integer> awardIds) {

    public Tier {
        awardIds = List.copyOf(awardIds);
    }
}
