package lottery.store.vault;

import org.jspecify.annotations.Nullable;

/** A sealed secret that this process cannot open: an outage until it has the key, and never an answer to a caller. */
public final class SecretUnavailable extends RuntimeException {

    SecretUnavailable(String message) {
        super(message);
    }

    SecretUnavailable(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
