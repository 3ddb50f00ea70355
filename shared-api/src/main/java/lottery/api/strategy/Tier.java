package lottery.api.strategy;

import java.util.List;

/**
 * What a user's further draws in an activity are among.
 *
 * @param from which draw of the user in the activity reaches it, counted from 1
 * @param awardIds the awards that it picks from, in proportion to their rates
 */
public record Tier(int from, List<Integer> awardIds) {

    public Tier {
        awardIds = List.copyOf(awardIds);
    }
}
