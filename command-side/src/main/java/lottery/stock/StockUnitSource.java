package lottery.stock;

import java.util.Set;
import lottery.api.Answer;
import lottery.api.Refused;
import lottery.api.activity.ActivityId;
import lottery.api.activity.StockId;
import lottery.api.strategy.StrategyDefinition;
import org.jspecify.annotations.Nullable;

/**
 * The units of limited stock: of awards, SKUs, participations and budgets. A unit is taken and given back with the
 * current unit of work. So this change belongs to the same commit as the events about it.
 */
public interface StockUnitSource {

    /** Returns the awards of an activity that are sold out, as far as this process knows. */
    Set<Integer> soldOut(ActivityId activityId, StrategyDefinition definition);

    /** Returns whether fewer units than these are left, as far as this process knows. */
    boolean isShort(StockId stockId, long units, long total);

    /** Returns whether all units are taken, according to PostgreSQL. */
    boolean isAllTaken(StockId stockId, int total);

    /**
     * Takes units, and returns whether enough are left, as far as this process knows. If too few are left when the unit
     * of work is committed, the commit fails and the command is decided again.
     *
     * @param units how many are taken; 0 only checks how many are left
     * @param least how many must be left before, so that these can be taken; at least {@code units}
     */
    boolean take(StockId stockId, long units, long least, long total);

    /** Takes a unit, and returns whether one is left. */
    default boolean take(StockId stockId, int total) {
        return take(stockId, 1, 1, total);
    }

    /** Takes a unit of which it is known that one is left. */
    default void takeOrFail(StockId stockId, int total) {
        if (!take(stockId, total)) {
            throw new IllegalStateException("no unit of %s is left".formatted(stockId.counter()));
        }
    }

    /** Gives units back. Others can take them after the commit. */
    void giveBack(StockId stockId, long units);

    default void giveBack(StockId stockId) {
        giveBack(stockId, 1);
    }

    /**
     * Takes a unit if the stock is limited, and returns whether it is limited. If no unit is left, returns the refusal.
     *
     * @param total the units of the stock; null if the stock is unlimited
     */
    default Answer<Boolean> takeIfLimited(StockId stockId, @Nullable Integer total, Refused soldOut) {
        return total == null || take(stockId, total) ? Answer.done(total != null) : Answer.no(soldOut);
    }
}
