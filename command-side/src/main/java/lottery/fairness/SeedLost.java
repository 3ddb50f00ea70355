package lottery.fairness;

/** Thrown if this process cannot open a sealed seed. It is an outage until the process has the key. */
public final class SeedLost extends RuntimeException {

    SeedLost(String message) {
        super(message);
    }

    SeedLost(String message, Throwable cause) {
        super(message, cause);
    }
}
