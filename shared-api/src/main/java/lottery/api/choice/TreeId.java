package lottery.api.choice;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import lottery.api.AggregateId;

/** The operator's own number of a decision tree. */
public record TreeId(@JsonValue long value) implements AggregateId {

    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public TreeId {
        if (value <= 0) {
            throw new IllegalArgumentException("a tree id is positive");
        }
    }

    public static TreeId of(String text) {
        return new TreeId(Long.parseLong(text));
    }

    @Override
    public String text() {
        return "tree:" + value;
    }

    @Override
    public String toString() {
        return text();
    }
}
