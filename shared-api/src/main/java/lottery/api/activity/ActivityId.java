package lottery.api.activity;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import lottery.api.AggregateId;

/** The operator's own number of an activity. */
public record ActivityId(@JsonValue long value) implements AggregateId {

    /** The prefix of the ids of all activities. */
    public static final String PREFIX = "activity:";

    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public ActivityId {
        if (value <= 0) {
            throw new IllegalArgumentException("an activity id is positive");
        }
    }

    public static ActivityId of(String text) {
        return new ActivityId(Long.parseLong(text));
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
