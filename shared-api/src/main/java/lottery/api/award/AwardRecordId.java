package lottery.api.award;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import lottery.api.AggregateId;
import lottery.api.UserId;
import lottery.api.UserKey;
import lottery.api.raffle.RaffleOrderId;

/**
 * One won award of one user. It has the key of the draw that won it: a draw cannot win twice. What is won instead of
 * another one has a key that follows from the other.
 */
public record AwardRecordId(UserKey key) implements AggregateId {

    private static final String PREFIX = "award:";

    public static AwardRecordId of(RaffleOrderId order) {
        return new AwardRecordId(order.key());
    }

    /** What is won instead of this one, if it cannot be handed over. */
    public AwardRecordId substituteFor(UserId user) {
        return new AwardRecordId(UserKey.derived(user, text(), "substitute"));
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
