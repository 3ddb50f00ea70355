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
import lottery.rule.CompiledStrategy;

/** All runs of a plan. The runs do not depend on each other, so the number of threads does not change the result. */
final class Simulation {

    private final List<CompletableFuture<Optional<SimulationRunResult>>> runs;
    private final LongAdder drawn = new LongAdder();
    private volatile boolean isCancelled;

    private Simulation(CompiledStrategy rules, SimulationPlan plan, Executor threads) {
        this.runs = SimulatedRandomness.of(plan.seed(), plan.runs()).stream()
                .map(randomness -> CompletableFuture.supplyAsync(() -> play(rules, plan, randomness), threads))
                .toList();
    }

    static Simulation start(CompiledStrategy rules, SimulationPlan plan, Executor threads) {
        return new Simulation(rules, plan, threads);
    }

    /**
     * Plays one run. The run is not created before its turn, because its rules may take one or two megabytes of memory.
     */
    private Optional<SimulationRunResult> play(
            CompiledStrategy rules, SimulationPlan plan, SimulatedRandomness randomness) {
        return isCancelled ? Optional.empty() : new SimulationRun(rules, plan, randomness).play(this::goesOn);
    }

    private boolean goesOn(int made) {
        drawn.add(made);
        return !isCancelled;
    }

    /** Cancels the runs. All threads have stopped after about a millisecond. */
    void cancel() {
        isCancelled = true;
    }

    /**
     * Waits until all threads have finished, but not longer than {@code waitMax}. Returns whether they have finished.
     */
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

    /** Returns how many draws were made so far, in all runs. */
    long drawn() {
        return drawn.sum();
    }

    /**
     * Returns the results of the runs in their order, when all runs are over; there are fewer if the simulation was
     * cancelled.
     */
    List<SimulationRunResult> courses() {
        return runs.stream()
                .map(CompletableFuture::resultNow)
                .flatMap(Optional::stream)
                .toList();
    }
}
