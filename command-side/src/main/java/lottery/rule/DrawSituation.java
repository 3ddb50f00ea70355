package lottery.rule;

import java.util.Set;
import lottery.api.UserId;

/**
 * The facts that a draw depends on besides its strategy and its randomness.
 *
 * @param drawsBefore how many draws the user has made in the activity before this one
 * @param drawsBeforeToday how many of these were made on the same day
 * @param soldOut the awards that are sold out now, that are held, or whose limit this user has reached
 */
public record DrawSituation(UserId userId, int drawsBefore, int drawsBeforeToday, Set<Integer> soldOut) {

    public DrawSituation {
        soldOut = Set.copyOf(soldOut);
    }
}
