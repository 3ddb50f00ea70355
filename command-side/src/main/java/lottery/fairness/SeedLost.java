package lottery.fairness;

/** A sealed seed that this process cannot open: an outage until it has the key, and no answer to any caller. */
public final class SeedLost extends RuntimeException {

    SeedLost(String message) {
        super(message);
    }

    SeedLost(String message, Throwable cause) {
        super(message, cause);
    }
}
