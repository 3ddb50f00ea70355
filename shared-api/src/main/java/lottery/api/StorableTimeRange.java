package lottery.api;

import java.time.Instant;

/** The range of times that every part of the system can store and wait for. */
public final class StorableTimeRange {

    private static final Instant FIRST = Instant.parse("1970-01-01T00:00:00Z");
    private static final Instant LAST = Instant.parse("9999-12-31T23:59:59Z");

    private StorableTimeRange() {}

    public static boolean isInRange(Instant time) {
        return !time.isBefore(FIRST) && !time.isAfter(LAST);
    }
}
