package lottery.api.account;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import lottery.api.AggregateId;
import lottery.api.ShardedUuid;
import lottery.api.UserId;

/** The id of a recharge. It is derived from the user and the business number, so that a recharge happens once. */
public record RechargeId(ShardedUuid key) implements AggregateId {

    private static final String PREFIX = "recharge:";

    public static RechargeId of(UserId user, String outBusinessNo) {
        return new RechargeId(ShardedUuid.derived(user, outBusinessNo));
    }

    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public static RechargeId of(String text) {
        return new RechargeId(ShardedUuid.after(PREFIX, text));
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
