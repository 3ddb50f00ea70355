package lottery.simulation;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongPredicate;
import lottery.api.Answer;
import lottery.api.Refusal;
import lottery.api.Refused;
import lottery.rule.CompiledStrategy;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.stereotype.Component;

/**
 * Runs simulations one after the other, on at most half of the processors, so that draws always find a free processor.
 */
@Component
class SimulationQueue implements DisposableBean {

    /** The number of permits: for one simulation that runs, and for a few that wait for their turn. */
    static final int PLACES_MAX = 4;

    private static final int THREADS_MAX = 4;

    private static final Duration TURN_WAIT_MAX = Duration.ofSeconds(30);

    /**
     * The time limit of a simulation. A simulation that takes longer is stopped, because its caller may be gone, and
     * other simulations wait.
     */
    private static final Duration LENGTH_MAX = Duration.ofSeconds(30);

    /** The interval at which the caller is told the progress, and can cancel. */
    private static final Duration PULSE = Duration.ofMillis(200);

    private static final Duration THREAD_KEPT = Duration.ofSeconds(10);

    private final InstantSource clock;
    private final Counter drawn;
    private final ThreadPoolExecutor threads = threads();
    private final Semaphore places = new Semaphore(PLACES_MAX);
    private final Semaphore turn = new Semaphore(1, true);

    SimulationQueue(InstantSource clock, MeterRegistry meters) {
        this.clock = clock;
        this.drawn = meters.counter("lottery.simulated.draws");
        meters.gauge("lottery.simulations", places, free -> PLACES_MAX - free.availablePermits());
    }

    private static ThreadPoolExecutor threads() {
        int count = Math.clamp(Runtime.getRuntime().availableProcessors() / 2, 1, THREADS_MAX);
        ThreadPoolExecutor threads = new ThreadPoolExecutor(
                count,
                count,
                THREAD_KEPT.toMillis(),
                TimeUnit.MILLISECONDS,
                // The queue holds the runs of one simulation, and the remaining runs of a simulation that was just
                // cancelled.
                new LinkedBlockingQueue<>(2 * SimulationPlan.RUNS_MAX),
                Thread.ofPlatform().name("simulation-", 0).daemon().factory());
        threads.allowCoreThreadTimeOut(true);
        return threads;
    }

    /** Reserves a permit to simulate or to wait. It refuses as busy if no permit is free. */
    Answer<SimulationPermit> enter(CompiledStrategy rules) {
        return places.tryAcquire() ? Answer.done(new SimulationPermit(rules)) : Answer.no(busy(rules));
    }

    private static Refused busy(CompiledStrategy rules) {
        return new Refused(Refusal.BUSY, rules.strategyId().text());
    }

    /** A permit to simulate. It has to be closed, whether or not it was used. */
    final class SimulationPermit implements AutoCloseable {

        private final CompiledStrategy rules;

        private SimulationPermit(CompiledStrategy rules) {
            this.rules = rules;
        }

        /** @param goesOn gets the number of draws so far a few times a second, and returns whether to continue */
        Answer<Forecast> play(SimulationPlan plan, LongPredicate goesOn) {
            try {
                if (!awaitsTurn(goesOn)) {
                    return Answer.no(busy(rules));
                }
                try {
                    return playNow(plan, goesOn);
                } finally {
                    turn.release();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return Answer.no(busy(rules));
            }
        }

        private boolean awaitsTurn(LongPredicate goesOn) throws InterruptedException {
            long pulsesLeft = TURN_WAIT_MAX.dividedBy(PULSE);
            while (goesOn.test(0) && pulsesLeft > 0) {
                if (turn.tryAcquire(PULSE.toMillis(), TimeUnit.MILLISECONDS)) {
                    return true;
                }
                pulsesLeft--;
            }
            return false;
        }

        private Answer<Forecast> playNow(SimulationPlan plan, LongPredicate goesOn) throws InterruptedException {
            long begin = clock.millis();
            Simulation simulation = Simulation.start(rules, plan, threads);
            try {
                while (!simulation.isOver(PULSE)) {
                    if (clock.millis() - begin > LENGTH_MAX.toMillis() || !goesOn.test(simulation.drawn())) {
                        return Answer.no(busy(rules));
                    }
                }
                List<SimulationRunResult> courses = simulation.courses();
                return Answer.done(Forecast.of(rules, plan, courses, clock.millis() - begin));
            } finally {
                simulation.cancel();
                drawn.increment((double) simulation.drawn());
            }
        }

        @Override
        public void close() {
            places.release();
        }
    }

    @Override
    public void destroy() {
        threads.shutdownNow();
    }
}
