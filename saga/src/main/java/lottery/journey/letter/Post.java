package lottery.journey.letter;

import java.util.concurrent.CompletableFuture;

/** Takes letters to the broker. */
@FunctionalInterface
public interface Post {

    /**
     * Does not wait: a letter is safe when the future is done, and lost when that failed. It may stay here for some
     * milliseconds, so that others leave with it.
     */
    CompletableFuture<?> send(Letter letter);

    /** No other will come for now: those that are here leave. Does not wait for that either. */
    default void depart() {}
}
