package lottery.api.award;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import lottery.api.AggregateId;
import lottery.api.UserKey;
import lottery.api.raffle.RaffleOrderId;

/** One won award of one user. It has the key of the draw that won it: a draw cannot win twice. */
public record AwardRecordId(UserKey key) implements AggregateId {

    private static final String PREFIX = "award:";

    public static AwardRecordId of(RaffleOrderId order) {
        return new AwardRecordId(order.key());
    }

    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public static AwardRecordId of(String text) {
        return new AwardRecordId(UserKey.after(PREFIX, text));
    }

    @Override
    @JsonValue
    public String text() {
        return PREFIX + key;
    }

    @Override
    public String toString() {
        return text();
    }
}
