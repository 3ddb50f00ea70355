package lottery.store.clock;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import lottery.store.loop.BackgroundLoop;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the time of PostgreSQL, so that processes whose own clocks differ agree on what is due and on which day it is.
 * It asks PostgreSQL every few seconds, and adds the time that has elapsed since then. Therefore a step of this
 * machine's clock does not change the result.
 *
 * <p>It also says how far this machine's clock is off, because tokens, certificates and time limits in Redis depend on
 * this machine's clock.
 */
public final class DatabaseClock implements InstantSource, ClockAgreement, AutoCloseable {

    /** The largest offset of this machine's clock with which this process may serve requests. */
    public static final Duration OFFSET_MAX = Duration.ofSeconds(2);

    private static final Logger LOG = LoggerFactory.getLogger(DatabaseClock.class);

    /** The smallest offset, and the smallest leap of this machine's clock, after which the time is in doubt. */
    private static final Duration DOUBTED_MIN = Duration.ofMinutes(1);

    /**
     * How long the time is in doubt after this machine's clock has leapt. PostgreSQL may run on the same machine, and
     * its clock may then be just as wrong. An operator has this time to correct it.
     */
    private static final Duration DOUBTED_AFTER_LEAP = Duration.ofMinutes(5);

    private static final Duration BETWEEN_MEASUREMENTS = Duration.ofSeconds(5);

    /**
     * The longest round trip of a measurement. A measurement with a longer round trip does not replace the earlier
     * measurement, because the new time would be less exact.
     */
    private static final Duration ROUND_TRIP_MAX = Duration.ofSeconds(1);

    /**
     * If this machine's clock has gone ahead of {@code System.nanoTime()} by more than this duration, the machine was
     * suspended. Without a suspension, these two clocks never drift so far apart between two measurements.
     */
    private static final Duration SLEEP_MIN = Duration.ofSeconds(1);

    private final Supplier<Instant> database;
    private final InstantSource machine;
    private final LongSupplier nanos;
    private final BackgroundLoop measurements = new BackgroundLoop(
            "database-clock",
            BETWEEN_MEASUREMENTS,
            this::measure,
            "PostgreSQL could not be asked for its time: {}. The previous measurement is still used.");

    private volatile Measurement last;

    /** In {@code System.nanoTime()}. */
    private volatile long doubtedUntil;

    /**
     * The time of PostgreSQL at one moment.
     *
     * @param here this machine's clock at this moment
     * @param nanos this moment in {@code System.nanoTime()}
     */
    private record Measurement(Instant time, Instant here, long nanos) {

        Duration offset() {
            return Duration.between(time, here);
        }
    }

    private DatabaseClock(Supplier<Instant> database, InstantSource machine, LongSupplier nanos) {
        this.database = database;
        this.machine = machine;
        this.nanos = nanos;
        this.last = measured();
        // The second measurement is more exact. The first one may have opened a connection, and its round trip then
        // contains the time for this.
        Measurement second = measured();
        this.last = second;
        this.doubtedUntil = second.nanos();
        tell(Duration.ZERO, second.offset());
    }

    /**
     * Starts a clock. It measures at once, and then every few seconds.
     *
     * @param database asks PostgreSQL for its time: {@code SELECT clock_timestamp()}
     * @throws RuntimeException if PostgreSQL cannot be asked now
     */
    public static DatabaseClock start(Supplier<Instant> database) {
        DatabaseClock clock = new DatabaseClock(database, InstantSource.system(), System::nanoTime);
        clock.measurements.start();
        return clock;
    }

    /** Returns a clock for tests. It measures again only when {@link #measure} is called. */
    static DatabaseClock of(Supplier<Instant> database, InstantSource machine, LongSupplier nanos) {
        return new DatabaseClock(database, machine, nanos);
    }

    @Override
    public Instant instant() {
        Measurement known = last;
        long passed = nanos.getAsLong() - known.nanos();
        if (hasSlept(known, passed)) {
            known = afterSleep(known);
            passed = nanos.getAsLong() - known.nanos();
        }
        return known.time().plusNanos(passed);
    }

    /**
     * Returns whether this machine was suspended since the measurement. {@code System.nanoTime()} does not count a
     * suspension, but this machine's clock does.
     */
    private boolean hasSlept(Measurement known, long passed) {
        return lost(known, passed).compareTo(SLEEP_MIN) > 0;
    }

    private Duration lost(Measurement known, long passed) {
        return Duration.between(known.here(), machine.instant()).minusNanos(passed);
    }

    /**
     * Measures again, because the time that was counted since the old measurement lacks the suspension. If PostgreSQL
     * is unavailable, the old measurement is changed and returned. Further callers then see no suspension, and do not
     * ask PostgreSQL again. In this case the time lacks the suspension until the next measurement. Until then, this
     * machine's clock counts as wrong.
     */
    private synchronized Measurement afterSleep(Measurement seen) {
        if (last.nanos() == seen.nanos() && last.here().equals(seen.here())) {
            Measurement next;
            try {
                next = measured();
            } catch (RuntimeException away) {
                LOG.debug(
                        "This machine was suspended, and PostgreSQL cannot be asked for its time."
                                + " Until the next measurement this process is not ready.",
                        away);
                Duration lost = lost(seen, nanos.getAsLong() - seen.nanos());
                next = new Measurement(seen.time(), seen.here().plus(lost), seen.nanos());
            }
            replaceWith(next);
        }
        return last;
    }

    /** Returns how far this machine's clock was ahead at the last measurement; negative if it was behind. */
    public Duration offset() {
        return last.offset();
    }

    /** Returns whether this machine's clock is near enough to that of PostgreSQL. */
    public boolean isMachineRight() {
        return isRight(offset());
    }

    @Override
    public boolean isAgreed() {
        return offset().abs().compareTo(DOUBTED_MIN) <= 0 && nanos.getAsLong() - doubtedUntil >= 0;
    }

    private static boolean isRight(Duration offset) {
        return offset.abs().compareTo(OFFSET_MAX) <= 0;
    }

    /** Measures again. A slow answer is ignored. */
    synchronized void measure() {
        long begun = nanos.getAsLong();
        Measurement next = measured();
        if (nanos.getAsLong() - begun <= ROUND_TRIP_MAX.toNanos()) {
            replaceWith(next);
        }
    }

    private void replaceWith(Measurement next) {
        Measurement before = last;
        Duration leap = Duration.between(before.here(), next.here()).minusNanos(next.nanos() - before.nanos());
        if (leap.abs().compareTo(DOUBTED_MIN) > 0) {
            doubtedUntil = nanos.getAsLong() + DOUBTED_AFTER_LEAP.toNanos();
            LOG.warn(
                    "The clock of this machine has leapt by {} s, or the machine was suspended. Nothing that is due is"
                            + " done for {} minutes. If the time is wrong, correct it now.",
                    leap.toSeconds(),
                    DOUBTED_AFTER_LEAP.toMinutes());
        }
        last = next;
        tell(before.offset(), next.offset());
    }

    private Measurement measured() {
        long begun = nanos.getAsLong();
        Instant here = machine.instant();
        Instant there = database.get();
        long half = (nanos.getAsLong() - begun) / 2;
        return new Measurement(there, here.plusNanos(half), begun + half);
    }

    private static void tell(Duration before, Duration now) {
        if (isRight(before) && !isRight(now)) {
            LOG.warn(
                    "The clock of this machine differs from the clock of PostgreSQL by {} ms. This process is not ready"
                            + " until the difference is at most {} ms: correct the clock.",
                    now.toMillis(),
                    OFFSET_MAX.toMillis());
        } else if (!isRight(before) && isRight(now)) {
            LOG.info(
                    "The clock of this machine is right again. It differs from the clock of PostgreSQL by {} ms.",
                    now.toMillis());
        }
    }

    @Override
    public void close() {
        measurements.close();
    }
}
