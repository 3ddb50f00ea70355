package lottery.messaging;

import org.jspecify.annotations.Nullable;

/** Thrown for a message that can never be handled. A retry does not help. */
public final class UnreadableMessage extends RuntimeException {

    public UnreadableMessage(String why) {
        this(why, null);
    }

    public UnreadableMessage(String why, @Nullable Throwable cause) {
        super(why, cause);
    }
}
