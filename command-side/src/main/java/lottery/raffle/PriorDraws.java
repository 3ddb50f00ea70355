package lottery.raffle;

import java.util.Map;

/**
 * Counts of a user's earlier draws in an activity, at the time of one draw.
 *
 * @param total the number of earlier draws
 * @param today how many of the earlier draws were made on the day of this draw
 * @param limitedWins how often the user had won each award that has a limit per user
 */
public record PriorDraws(int total, int today, Map<Integer, Integer> limitedWins) {

    public PriorDraws {
        limitedWins = Map.copyOf(limitedWins);
    }
}
