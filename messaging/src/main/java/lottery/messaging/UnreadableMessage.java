package lottery.messaging;

import org.jspecify.annotations.Nullable;

/** A message that makes no sense and never will: to try it again is no use. */
public final class UnreadableMessage extends RuntimeException {

    public UnreadableMessage(String why) {
        this(why, null);
    }

    public UnreadableMessage(String why, @Nullable Throwable cause) {
        super(why, cause);
    }
}
