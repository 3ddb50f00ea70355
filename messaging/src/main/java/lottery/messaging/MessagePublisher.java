package lottery.messaging;

import java.util.concurrent.CompletableFuture;

/** Publishes messages to the broker. */
@FunctionalInterface
public interface MessagePublisher {

    /**
     * Does not wait: a message is safe when the future is done, and lost when that failed. It may stay here for some
     * milliseconds, so that others leave with it.
     */
    CompletableFuture<?> send(OutgoingMessage message);

    /** No other will come for now: those that are here leave. Does not wait for that either. */
    default void depart() {}
}
