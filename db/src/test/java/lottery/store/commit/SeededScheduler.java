package lottery.store.commit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Semaphore;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs actors one at a time, in an order that follows from a seed. An actor goes on until it gives its turn away. Time
 * moves only while all of them wait, or by leaps.
 */
final class SeededScheduler implements CommitterTimeSource {

    /** Ends an actor where it is. */
    static final class ActorKilledError extends Error {

        private static final long serialVersionUID = 1;

        ActorKilledError() {
            super("killed", null, false, false);
        }
    }

    interface Body {
        void run() throws Exception;
    }

    /** An actor runs by turns with others. */
    final class SimulatedActor {

        private final String name;
        private final Body body;
        private final Semaphore turn = new Semaphore(0);
        private long wakesAtNanos;
        private BooleanSupplier until = () -> true;
        private boolean killed;
        private boolean ended;

        private SimulatedActor(String name, Body body) {
            this.name = name;
            this.body = body;
        }

        /** Lets it end at the place where it waits, as the end of its process does. */
        void kill() {
            killed = true;
        }

        @Override
        public String toString() {
            return name;
        }

        private boolean isReady() {
            return killed || (wakesAtNanos <= nowNanos && until.getAsBoolean());
        }

        private void run() {
            try {
                turn.acquireUninterruptibly();
                if (!killed) {
                    body.run();
                }
            } catch (ActorKilledError e) {
                // It has no more to do.
            } catch (Exception | Error e) {
                if (failure == null) {
                    failure = e;
                }
            } finally {
                ended = true;
                back.release();
            }
        }
    }

    private final Random random;
    private final List<SimulatedActor> actors = new ArrayList<>();
    private final Semaphore back = new Semaphore(0);
    private long nowNanos;
    private @Nullable SimulatedActor current;
    private @Nullable Throwable failure;

    SeededScheduler(Random random) {
        this.random = random;
    }

    SimulatedActor start(String name, Body body) {
        SimulatedActor actor = new SimulatedActor(name, body);
        actors.add(actor);
        Thread.ofVirtual().name(name).start(actor::run);
        return actor;
    }

    /** Runs all actors to their ends, also those that are started meanwhile. */
    void run(int turnsMax) throws Exception {
        for (int turns = 0; !actors.isEmpty(); turns++) {
            Optional<SimulatedActor> next = next();
            if ((next.isEmpty() || turns == turnsMax) && failure == null) {
                failure = new AssertionError("%s after %d turns: %s"
                        .formatted(next.isEmpty() ? "nobody can go on" : "no end", turns, actors));
            }
            if (failure != null) {
                actors.forEach(SimulatedActor::kill);
                next = Optional.of(actors.getFirst());
            }
            SimulatedActor actor = next.orElseThrow();
            current = actor;
            actor.turn.release();
            back.acquire();
            if (actor.ended) {
                actors.remove(actor);
            }
        }
        switch (failure) {
            case null -> {}
            case Error error -> throw error;
            case Exception exception -> throw exception;
            default -> throw new IllegalStateException(failure);
        }
    }

    private Optional<SimulatedActor> next() {
        List<SimulatedActor> ready = ready();
        if (ready.isEmpty()) {
            // Time moves on to the first actor that waits for it.
            actors.stream()
                    .mapToLong(actor -> actor.wakesAtNanos)
                    .filter(wakesAt -> wakesAt > nowNanos)
                    .min()
                    .ifPresent(wakesAt -> nowNanos = wakesAt);
            ready = ready();
        }
        return ready.isEmpty() ? Optional.empty() : Optional.of(ready.get(random.nextInt(ready.size())));
    }

    private List<SimulatedActor> ready() {
        List<SimulatedActor> ready = new ArrayList<>(actors.size());
        for (SimulatedActor actor : actors) {
            if (actor.isReady()) {
                ready.add(actor);
            }
        }
        return ready;
    }

    /** Gives the turn away; others may come first. */
    void turn() {
        await(() -> true);
    }

    /** Gives the turn away until something is so. */
    void await(BooleanSupplier until) {
        SimulatedActor me = current;
        if (me == null) {
            return; // Nothing runs yet.
        }
        me.until = until;
        back.release();
        me.turn.acquireUninterruptibly();
        if (me.killed) {
            throw new ActorKilledError();
        }
    }

    @Override
    public long nanos() {
        return nowNanos;
    }

    @Override
    public void pause(Duration duration) {
        SimulatedActor me = current;
        if (me != null) {
            me.wakesAtNanos = nowNanos + duration.toNanos();
            turn();
        }
    }

    /** Lets time go by at once, as for a process that was frozen. */
    void leap(Duration duration) {
        nowNanos += duration.toNanos();
    }

    /** Returns a number from 0 below a limit. */
    int any(int below) {
        return random.nextInt(below);
    }

    /** Returns true about once in so many times. */
    boolean once(int times) {
        return random.nextInt(times) == 0;
    }
}
