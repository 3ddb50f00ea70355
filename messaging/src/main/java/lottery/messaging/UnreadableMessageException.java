package lottery.messaging;

import org.jspecify.annotations.Nullable;

/** Thrown for a message that can never be handled. A retry does not help. */
public final class UnreadableMessageException extends RuntimeException {

    public UnreadableMessageException(String why) {
        this(why, null);
    }

    public UnreadableMessageException(String why, @Nullable Throwable cause) {
        super(why, cause);
    }
}
