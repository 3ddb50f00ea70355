package lottery.messaging;

import java.util.concurrent.CompletableFuture;

/** Publishes messages to the broker. */
@FunctionalInterface
public interface AsyncMessagePublisher {

    /**
     * Sends a message without waiting. It has arrived when the future is done, and is lost if the future fails. It may
     * wait here for some milliseconds, so that others are sent with it.
     */
    CompletableFuture<?> send(OutgoingMessage message);

    /** Sends all waiting messages now, because no others will follow soon. Does not wait for their arrival. */
    default void depart() {}
}
