package lottery.fairness;

/** Thrown if this process cannot open a sealed seed. It is an outage until the process has the key. */
public final class SeedUnavailableException extends RuntimeException {

    SeedUnavailableException(String message) {
        super(message);
    }

    SeedUnavailableException(String message, Throwable cause) {
        super(message, cause);
    }
}
