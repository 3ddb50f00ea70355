package lottery.store.vault;

import org.jspecify.annotations.Nullable;

/**
 * This process cannot open a sealed secret. This counts as an outage until the process has the key, and is never an
 * answer to a caller.
 */
public final class SecretUnavailableException extends RuntimeException {

    SecretUnavailableException(String message) {
        super(message);
    }

    SecretUnavailableException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
