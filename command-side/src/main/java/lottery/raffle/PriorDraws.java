package lottery.raffle;

/**
 * The number of draws that a user had made in an activity before a draw.
 *
 * @param today how many of these draws were made on the same day
 */
public record PriorDraws(int total, int today) {}
