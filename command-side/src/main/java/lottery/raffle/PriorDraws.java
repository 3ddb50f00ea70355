package lottery.raffle;

import java.util.Map;

/**
 * The draws of a user in an activity before a draw.
 *
 * @param total the number of draws
 * @param today how many of these draws were made on the same day
 * @param limitedWins how often the user had won each award that has a limit per user
 */
public record PriorDraws(int total, int today, Map<Integer, Integer> limitedWins) {

    public PriorDraws {
        limitedWins = Map.copyOf(limitedWins);
    }
}
