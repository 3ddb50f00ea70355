package lottery.journey;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** Goes with the system's time, or as far ahead of it as a test says. */
final class TestClock implements InstantSource {

    private volatile Duration ahead = Duration.ZERO;

    /** From now on it is this time, and goes on from there. */
    void set(Instant now) {
        ahead = Duration.between(Instant.now(), now);
    }

    void reset() {
        ahead = Duration.ZERO;
    }

    @Override
    public Instant instant() {
        return Instant.now().plus(ahead);
    }
}
