package lottery.rule;

import java.util.Set;
import lottery.api.UserId;

/**
 * The facts that a draw depends on besides its strategy and its randomness.
 *
 * @param drawsBefore how many draws the user has made in the activity before this one
 * @param drawsBeforeToday how many of these draws were made on the day of this draw
 * @param soldOut the awards that this draw cannot win: they are sold out, held or over the budget, or this user has
 *     reached their limit
 */
public record DrawSituation(UserId userId, int drawsBefore, int drawsBeforeToday, Set<Integer> soldOut) {

    public DrawSituation {
        soldOut = Set.copyOf(soldOut);
    }
}
