package lottery.simulation;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import lottery.rule.DrawRules;

/**
 * All runs of a plan, under way. They have nothing to do with each other, so that it makes no difference how many of
 * them are played at once.
 */
final class Simulation {

    private final List<FutureTask<Optional<Course>>> runs;
    private final CountDownLatch unfinished;
    private final LongAdder drawn = new LongAdder();
    private volatile boolean isCancelled;

    private Simulation(DrawRules rules, Plan plan) {
        this.unfinished = new CountDownLatch(plan.runs());
        this.runs = Dice.of(plan.seed(), plan.runs()).stream()
                .map(dice -> new FutureTask<>(() -> play(new Run(rules, plan, dice))))
                .toList();
    }

    static Simulation start(DrawRules rules, Plan plan, Executor threads) {
        Simulation simulation = new Simulation(rules, plan);
        simulation.runs.forEach(threads::execute);
        return simulation;
    }

    private Optional<Course> play(Run run) {
        try {
            return isCancelled ? Optional.empty() : run.play(this::goesOn);
        } finally {
            unfinished.countDown();
        }
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
        return unfinished.await(waitMax.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** How many draws were made so far, in all runs. */
    long drawn() {
        return drawn.sum();
    }

    /** What each run came to, in their order, once it is over; fewer where it was cancelled. */
    List<Course> courses() {
        return runs.stream()
                .map(FutureTask::resultNow)
                .flatMap(Optional::stream)
                .toList();
    }
}
