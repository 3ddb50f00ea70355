package lottery.account;

import java.util.OptionalInt;
import lottery.api.Answer;
import lottery.api.Refused;
import lottery.stock.ShelfId;
import lottery.stock.StockUnits;
import org.jspecify.annotations.Nullable;

/**
 * A unit of what there may be only so much of.
 *
 * @param number none: there is any number of it
 */
record Slot(@Nullable Integer number) {

    /** @param total none: without end */
    static Answer<Slot> take(StockUnits stock, ShelfId shelf, @Nullable Integer total, String holder, Refused soldOut) {
        if (total == null) {
            return Answer.done(new Slot(null));
        }
        OptionalInt slot = stock.take(shelf, total, holder);
        return slot.isPresent() ? Answer.done(new Slot(slot.getAsInt())) : Answer.no(soldOut);
    }
}
