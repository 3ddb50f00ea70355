package lottery.api.rebate;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import lottery.api.AggregateId;
import lottery.api.ShardedUuid;
import lottery.api.UserId;

/**
 * The id of a behaviour. It follows from the user, the behaviour and its business number, so that each behaviour is
 * rewarded once.
 */
public record BehaviourId(ShardedUuid key) implements AggregateId {

    /** The beginning of the ids of all behaviours, and of the business numbers of all rebates. */
    public static final String PREFIX = "behaviour:";

    public static BehaviourId of(UserId user, String behaviour, String outBusinessNo) {
        return new BehaviourId(ShardedUuid.derived(user, "behaviour", behaviour, outBusinessNo));
    }

    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public static BehaviourId of(String text) {
        return new BehaviourId(ShardedUuid.after(PREFIX, text));
    }

    /** Returns the business number of one rebate, under which it is recharged or booked. */
    public String businessNo(RebateRuleId ruleId, int index) {
        return "%s:%d:%d".formatted(text(), ruleId.value(), index);
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
