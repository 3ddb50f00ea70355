package lottery.simulation;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;
import lottery.rule.DrawRules;

/**
 * All runs of a plan, under way. They have nothing to do with each other, so that it makes no difference how many of
 * them are played at once.
 */
final class Simulation {

    private final List<CompletableFuture<Optional<SimulationResult>>> runs;
    private final LongAdder drawn = new LongAdder();
    private volatile boolean isCancelled;

    private Simulation(DrawRules rules, SimulationPlan plan, Executor threads) {
        this.runs = SimulatedRandomness.of(plan.seed(), plan.runs()).stream()
                .map(dice -> CompletableFuture.supplyAsync(() -> play(rules, plan, dice), threads))
                .toList();
    }

    static Simulation start(DrawRules rules, SimulationPlan plan, Executor threads) {
        return new Simulation(rules, plan, threads);
    }

    /** A run is made when it is its turn: its rules may take a megabyte or two. */
    private Optional<SimulationResult> play(DrawRules rules, SimulationPlan plan, SimulatedRandomness dice) {
        return isCancelled ? Optional.empty() : new SimulationRun(rules, plan, dice).play(this::goesOn);
    }

    private boolean goesOn(int made) {
        drawn.add(made);
        return !isCancelled;
    }

    /** Within a millisecond or so no thread is busy with it any more. */
    void cancel() {
        isCancelled = true;
    }

    /** Says whether all threads are through with it, waiting for that so long at most. */
    boolean isOver(Duration waitMax) throws InterruptedException {
        try {
            CompletableFuture.allOf(runs.toArray(CompletableFuture<?>[]::new))
                    .get(waitMax.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException e) {
            throw new IllegalStateException("a run failed", e);
        }
    }

    /** How many draws were made so far, in all runs. */
    long drawn() {
        return drawn.sum();
    }

    /** What each run came to, in their order, once it is over; fewer where it was cancelled. */
    List<SimulationResult> courses() {
        return runs.stream()
                .map(CompletableFuture::resultNow)
                .flatMap(Optional::stream)
                .toList();
    }
}
