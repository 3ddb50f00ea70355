package lottery.stock;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicBoolean;

/** How often the claims of a stock are looked at: soon when there may be something new, and never all the time. */
final class ClaimCheckInterval {

    /** Who has met another process at one unit will meet it at others: after this it knows better. */
    private static final Duration LOOK_ASTRAY = Duration.ofMillis(20);

    /** A look at a million claims takes its time, and must not be all that the database does. */
    private static final int PAUSE_PER_LOOK = 10;

    /** An empty stock is looked at again after this, and less and less often as long as it stays empty. */
    private static final Duration LOOK_EMPTY_MIN = Duration.ofSeconds(1);

    private static final Duration LOOK_EMPTY_MAX = Duration.ofMinutes(1);

    /** What a look has shown. */
    enum Found {
        UNITS,
        /** None, which may change soon. */
        NONE_NOW,
        /** None, as before. */
        NONE_STILL
    }

    /** Looks at the claims. */
    @FunctionalInterface
    interface Look<E extends Exception> {

        Found at() throws E;
    }

    private final AtomicBoolean looking = new AtomicBoolean();
    private volatile Instant restUntil = Instant.MIN;
    private volatile Instant lookAt = Instant.MIN;
    private volatile Duration pause = LOOK_EMPTY_MIN;

    boolean isDue(Instant now) {
        return !now.isBefore(lookAt);
    }

    /** Something has happened: there is no reason to wait, except that looking costs something. */
    void soon() {
        lookAt = restUntil;
    }

    /** One looks; the others go on with what is known. Says whether this one has looked. */
    <E extends Exception> boolean look(InstantSource clock, Look<E> look) throws E {
        if (!looking.compareAndSet(false, true)) {
            return false;
        }
        try {
            Instant begun = clock.instant();
            Found found = look.at();
            plan(found, Duration.between(begun, clock.instant()), clock.instant());
            return true;
        } finally {
            looking.set(false);
        }
    }

    /** If it is time to. */
    <E extends Exception> boolean lookIfDue(InstantSource clock, Look<E> look) throws E {
        return isDue(clock.instant()) && look(clock, look);
    }

    private void plan(Found found, Duration took, Instant now) {
        pause = found == Found.NONE_STILL ? longer(pause) : LOOK_EMPTY_MIN;
        Duration rest = took.multipliedBy(PAUSE_PER_LOOK);
        restUntil = now.plus(rest.compareTo(LOOK_ASTRAY) > 0 ? rest : LOOK_ASTRAY);
        Instant planned = now.plus(pause);
        lookAt = found == Found.UNITS || planned.isBefore(restUntil) ? restUntil : planned;
    }

    private static Duration longer(Duration pause) {
        Duration twice = pause.multipliedBy(2);
        return twice.compareTo(LOOK_EMPTY_MAX) < 0 ? twice : LOOK_EMPTY_MAX;
    }
}
