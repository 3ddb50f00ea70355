package lottery.api.rebate;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import lottery.api.AggregateId;

/** The operator's own number of a rebate rule. */
public record RebateRuleId(@JsonValue long value) implements AggregateId {

    /** The beginning of the ids of all rebate rules. */
    public static final String PREFIX = "rebate-rule:";

    private static final long MAX = 999_999_999_999_999_999L;

    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public RebateRuleId {
        if (value < 1 || value > MAX) {
            throw new IllegalArgumentException("the id of a rebate rule is 1 to " + MAX);
        }
    }

    public static RebateRuleId of(String text) {
        return new RebateRuleId(Long.parseLong(text));
    }

    @Override
    public String text() {
        return PREFIX + value;
    }

    @Override
    public String toString() {
        return text();
    }
}
