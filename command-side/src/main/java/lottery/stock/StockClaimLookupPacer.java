package lottery.stock;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Decides how often the claims of a stock are checked. They are checked soon if they may have changed, but never all
 * the time.
 */
final class StockClaimLookupPacer {

    /** The shortest pause between two checks, also after a conflict with another process. */
    private static final Duration LOOK_ASTRAY = Duration.ofMillis(20);

    /**
     * The pause after a check, in multiples of the time that the check has taken. A check can read a million claims,
     * and must not keep the database busy.
     */
    private static final int PAUSE_PER_LOOK = 10;

    /**
     * The first pause after a check that has found no free unit. While further checks find no free unit, the pause
     * doubles, up to the maximum.
     */
    private static final Duration LOOK_EMPTY_MIN = Duration.ofSeconds(1);

    private static final Duration LOOK_EMPTY_MAX = Duration.ofMinutes(1);

    /** The result of a check. */
    enum ClaimLookupResult {
        UNITS,
        /** No unit is free now, but that may change soon. */
        NONE_NOW,
        /** No unit is free, as in the check before. */
        NONE_STILL
    }

    /** Checks the claims. */
    @FunctionalInterface
    interface ClaimLookup<E extends Exception> {

        ClaimLookupResult at() throws E;
    }

    private final AtomicBoolean looking = new AtomicBoolean();
    private volatile Instant restUntil = Instant.MIN;
    private volatile Instant lookAt = Instant.MIN;
    private volatile Duration pause = LOOK_EMPTY_MIN;

    boolean isDue(Instant now) {
        return !now.isBefore(lookAt);
    }

    /** Makes the next check due as soon as the pause after the last check is over. */
    void soon() {
        lookAt = restUntil;
    }

    /**
     * Makes a check, unless another thread is making one. Returns whether this thread has checked. If it has not, the
     * caller uses what is known.
     */
    <E extends Exception> boolean look(InstantSource clock, ClaimLookup<E> check) throws E {
        if (!looking.compareAndSet(false, true)) {
            return false;
        }
        try {
            Instant begun = clock.instant();
            ClaimLookupResult result = check.at();
            plan(result, Duration.between(begun, clock.instant()), clock.instant());
            return true;
        } finally {
            looking.set(false);
        }
    }

    /** Checks if a check is due. */
    <E extends Exception> boolean lookIfDue(InstantSource clock, ClaimLookup<E> check) throws E {
        return isDue(clock.instant()) && look(clock, check);
    }

    private void plan(ClaimLookupResult result, Duration took, Instant now) {
        pause = result == ClaimLookupResult.NONE_STILL ? longer(pause) : LOOK_EMPTY_MIN;
        Duration rest = took.multipliedBy(PAUSE_PER_LOOK);
        restUntil = now.plus(rest.compareTo(LOOK_ASTRAY) > 0 ? rest : LOOK_ASTRAY);
        Instant planned = now.plus(pause);
        lookAt = result == ClaimLookupResult.UNITS || planned.isBefore(restUntil) ? restUntil : planned;
    }

    private static Duration longer(Duration pause) {
        Duration twice = pause.multipliedBy(2);
        return twice.compareTo(LOOK_EMPTY_MAX) < 0 ? twice : LOOK_EMPTY_MAX;
    }
}
