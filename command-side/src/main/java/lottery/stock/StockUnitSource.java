package lottery.stock;

import java.util.OptionalInt;
import java.util.Set;
import lottery.api.StockLimit;
import lottery.api.activity.ActivityId;
import lottery.api.strategy.StrategyDefinition;

/**
 * The numbered units of limited stock: of awards, SKUs and participations. A unit is taken and given back with the
 * current unit of work. So this change belongs to the same commit as the events about it.
 */
public interface StockUnitSource {

    /** Returns the awards of an activity that are sold out, as far as this process knows. */
    Set<Integer> soldOut(ActivityId activityId, StrategyDefinition definition);

    /** Returns whether no unit is left, as far as this process knows. */
    boolean isSoldOut(StockId stockId, int total);

    /** Returns whether all units are taken, according to PostgreSQL. This counts all taken units. */
    boolean isAllTaken(StockId stockId, int total);

    /**
     * Takes a unit and returns its number, if there is one left.
     *
     * @param total the number of units of the stock, at most {@link StockLimit#UNITS_MAX}
     * @param holder the id of the order that takes it; the same holder gets the same unit again while the outcome of
     *     its first attempt is unknown
     */
    OptionalInt take(StockId stockId, int total, String holder);

    /**
     * Loads what this process needs to take units, so that no draw waits for the load. A failure is not reported,
     * because a draw then loads what is missing.
     */
    void load(StockId stockId, int total);

    /** Gives a unit back. Others can take it after the commit. */
    void giveBack(StockId stockId, int unit, String holder);
}
