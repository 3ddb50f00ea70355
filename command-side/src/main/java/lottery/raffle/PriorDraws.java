package lottery.raffle;

/**
 * How often a user had drawn in an activity before a draw.
 *
 * @param today how many of these draws were made on the same day
 */
public record PriorDraws(int total, int today) {}
