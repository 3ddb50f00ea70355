package lottery.stock;

import java.util.Set;
import lottery.api.Answer;
import lottery.api.Refused;
import lottery.api.activity.ActivityId;
import lottery.api.strategy.StrategyDefinition;
import org.jspecify.annotations.Nullable;

/**
 * The units of limited stock: of awards, SKUs and participations. A unit is taken and given back with the current unit
 * of work. So this change belongs to the same commit as the events about it.
 */
public interface StockUnitSource {

    /** Returns the awards of an activity that are sold out, as far as this process knows. */
    Set<Integer> soldOut(ActivityId activityId, StrategyDefinition definition);

    /** Returns whether no unit is left, as far as this process knows. */
    boolean isSoldOut(StockId stockId, int total);

    /** Returns whether all units are taken, according to PostgreSQL. */
    boolean isAllTaken(StockId stockId, int total);

    /**
     * Takes a unit, and returns whether one is left, as far as this process knows. If none is left when the unit of
     * work is committed, the commit fails and the command is decided again.
     */
    boolean take(StockId stockId, int total);

    /** Gives a unit back. Others can take it after the commit. */
    void giveBack(StockId stockId);

    /**
     * Takes a unit if the stock is limited, and returns whether it is limited. If no unit is left, returns the refusal.
     *
     * @param total the units of the stock; null if the stock is unlimited
     */
    default Answer<Boolean> takeIfLimited(StockId stockId, @Nullable Integer total, Refused soldOut) {
        return total == null || take(stockId, total) ? Answer.done(total != null) : Answer.no(soldOut);
    }
}
