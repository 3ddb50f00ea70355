package lottery.messaging;

import java.util.concurrent.CompletableFuture;

/** Publishes messages to the broker. */
@FunctionalInterface
public interface AsyncMessagePublisher {

    /**
     * Sends a message without waiting for its arrival. The message has arrived when the future completes, and is lost
     * if the future fails. The message may be delayed for some milliseconds, so that it is sent together with others.
     */
    CompletableFuture<?> send(OutgoingMessage message);

    /** Sends all delayed messages now, because no other messages will follow soon. Does not wait for their arrival. */
    default void flush() {}
}
