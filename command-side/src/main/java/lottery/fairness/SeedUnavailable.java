package lottery.fairness;

/** Thrown if this process cannot open a sealed seed. It is an outage until the process has the key. */
public final class SeedUnavailable extends RuntimeException {

    SeedUnavailable(String message) {
        super(message);
    }

    SeedUnavailable(String message, Throwable cause) {
        super(message, cause);
    }
}
