package lottery.journey.letter;

import org.jspecify.annotations.Nullable;

/** A letter that makes no sense and never will: to try it again is no use. */
public final class Unreadable extends RuntimeException {

    public Unreadable(String why) {
        this(why, null);
    }

    public Unreadable(String why, @Nullable Throwable cause) {
        super(why, cause);
    }
}
