package lottery.raffle;

import java.util.Map;

/**
 * Counts of a user's draws in an activity, as they were before one more draw.
 *
 * @param total the number of draws
 * @param today how many of these draws were made on the day of that draw
 * @param limitedWins how often the user had won each award that has a limit per user
 */
public record PriorDraws(int total, int today, Map<Integer, Integer> limitedWins) {

    public PriorDraws {
        limitedWins = Map.copyOf(limitedWins);
    }
}
