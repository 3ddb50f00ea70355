package lottery.api.strategy;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import lottery.api.AggregateId;

/** The operator's own number of a strategy. */
public record StrategyId(@JsonValue long value) implements AggregateId {

    /** The beginning of all ids of strategies as texts. */
    public static final String PREFIX = "strategy:";

    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public StrategyId {
        if (value <= 0) {
            throw new IllegalArgumentException("a strategy id is positive");
        }
    }

    public static StrategyId of(String text) {
        return new StrategyId(Long.parseLong(text));
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
