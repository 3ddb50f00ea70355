package lottery.api;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;

/** A user of the company that runs the activity, under that company's own id. */
public record UserId(@JsonValue String value) {

    public static final int LENGTH_MAX = 64;

    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public UserId {
        if (value.isBlank() || value.length() > LENGTH_MAX) {
            throw new IllegalArgumentException("a user id has 1 to " + LENGTH_MAX + " characters");
        }
        if (value.codePoints().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException("a user id has no control characters");
        }
    }

    @Override
    public String toString() {
        return value;
    }
}
