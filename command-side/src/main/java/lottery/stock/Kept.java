package lottery.stock;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicBoolean;

/** A shelf in the memory of this process, and when to look at its claims. */
final class Kept {

    /** Who has met another process at one slot will meet it at others: after this it knows better. */
    private static final Duration LOOK_ASTRAY = Duration.ofMillis(20);

    /** A look at a million claims takes its time, and must not be all that the database does. */
    private static final int PAUSE_PER_LOOK = 10;

    /** An empty shelf is looked at again after this, and less and less often as long as it stays empty. */
    private static final Duration LOOK_EMPTY_MIN = Duration.ofSeconds(1);

    private static final Duration LOOK_EMPTY_MAX = Duration.ofMinutes(1);

    /** Looks at the claims. */
    @FunctionalInterface
    interface Look {

        /** Whether there was anything new. */
        boolean at(Shelf shelf, int total);
    }

    private final Shelf shelf = new Shelf();
    private final AtomicBoolean looking = new AtomicBoolean();
    private volatile boolean loaded;
    private volatile boolean astray;
    private volatile Instant lookAt = Instant.MIN;
    private volatile Duration pause = LOOK_EMPTY_MIN;

    Shelf shelf() {
        return shelf;
    }

    /** A claim was refused: others take from here, too. */
    void goneAstray() {
        astray = true;
    }

    /**
     * Looks at the claims if it is time to. One draw does so; the others go on with what is known, once anything is.
     */
    void upToDate(int total, InstantSource clock, Look look) {
        if (!loaded) {
            load(total, clock, look);
        } else if (isTimeToLook(total, clock.instant()) && looking.compareAndSet(false, true)) {
            try {
                look(total, clock, look);
            } finally {
                looking.set(false);
            }
        }
    }

    private synchronized void load(int total, InstantSource clock, Look look) {
        if (!loaded) {
            look(total, clock, look);
            loaded = true;
        }
    }

    private boolean isTimeToLook(int total, Instant now) {
        return shelf.total() != total || ((astray || shelf.isEmpty()) && !now.isBefore(lookAt));
    }

    private void look(int total, InstantSource clock, Look look) {
        Instant begun = clock.instant();
        astray = false;
        boolean changed = look.at(shelf, total);
        boolean isEmpty = shelf.isEmpty();
        pause = changed || !isEmpty ? LOOK_EMPTY_MIN : longer(pause);
        Instant now = clock.instant();
        Duration rest = Duration.between(begun, now).multipliedBy(PAUSE_PER_LOOK);
        Duration least = isEmpty ? pause : LOOK_ASTRAY;
        lookAt = now.plus(rest.compareTo(least) > 0 ? rest : least);
    }

    private static Duration longer(Duration pause) {
        Duration twice = pause.multipliedBy(2);
        return twice.compareTo(LOOK_EMPTY_MAX) < 0 ? twice : LOOK_EMPTY_MAX;
    }
}
