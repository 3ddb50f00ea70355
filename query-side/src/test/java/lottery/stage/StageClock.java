package lottery.stage;

import java.time.Instant;
import java.time.InstantSource;

/** A clock that shows the time that it was set to. */
public final class StageClock implements InstantSource {

    private volatile Instant now = Instant.parse("2026-03-31T04:00:00Z");

    StageClock() {}

    /** Sets the time, which does not go on by itself. */
    public void set(String instant) {
        now = Instant.parse(instant);
    }

    @Override
    public Instant instant() {
        return now;
    }
}
