package lottery.journey.letter;

import java.util.concurrent.CompletableFuture;

/** Takes letters to the broker. */
@FunctionalInterface
public interface Post {

    /** Does not wait: a letter is safe when the future is done, and lost when that failed. */
    CompletableFuture<?> send(Letter letter);
}
