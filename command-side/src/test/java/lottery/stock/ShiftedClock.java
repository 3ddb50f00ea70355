package lottery.stock;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** A clock that runs, and that a test can put forward. */
final class ShiftedClock implements InstantSource {

    private volatile Duration ahead = Duration.ZERO;

    void putForward(Duration by) {
        ahead = ahead.plus(by);
    }

    @Override
    public Instant instant() {
        return Instant.now().plus(ahead);
    }
}
