package lottery.saga;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** A clock that shows the system's time, or runs ahead of it. */
final class TestClock implements InstantSource {

    private volatile Duration ahead = Duration.ZERO;

    /** Sets the time, which goes on from there. */
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
