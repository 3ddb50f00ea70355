package lottery.stock;

import java.util.OptionalInt;
import lottery.api.Answer;
import lottery.api.Refused;
import org.jspecify.annotations.Nullable;

/**
 * The number of a unit that was taken from a stock.
 *
 * @param number the number, counted from 1; null if the stock is unlimited
 */
public record UnitNumber(@Nullable Integer number) {

    /**
     * Takes a unit from a stock, or returns the refusal.
     *
     * @param total the units of the stock; null if the stock is unlimited
     */
    public static Answer<UnitNumber> take(
            StockUnitSource stock, StockId stockId, @Nullable Integer total, String holder, Refused soldOut) {
        if (total == null) {
            return Answer.done(new UnitNumber(null));
        }
        OptionalInt unit = stock.take(stockId, total, holder);
        return unit.isPresent() ? Answer.done(new UnitNumber(unit.getAsInt())) : Answer.no(soldOut);
    }
}
