package lottery.api.award;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import lottery.api.AggregateId;
import lottery.api.ShardedUuid;
import lottery.api.UserId;
import lottery.api.raffle.RaffleOrderId;

/**
 * The id of one won award of one user. It has the key of the draw that won it, because a draw cannot win twice. The key
 * of a substitute is derived from the id of the award that it replaces.
 */
public record AwardRecordId(ShardedUuid key) implements AggregateId {

    private static final String PREFIX = "award:";

    public static AwardRecordId of(RaffleOrderId order) {
        return new AwardRecordId(order.key());
    }

    /** Returns the id of the award that is won instead of this one, if this one cannot be handed over. */
    public AwardRecordId substituteFor(UserId user) {
        return new AwardRecordId(ShardedUuid.derived(user, text(), "substitute"));
    }

    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public static AwardRecordId of(String text) {
        return new AwardRecordId(ShardedUuid.after(PREFIX, text));
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
