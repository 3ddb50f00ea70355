package lottery.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import lottery.api.Answer;
import lottery.api.Refusal;
import lottery.api.Refused;
import lottery.rule.CompiledStrategy;
import lottery.rule.Described;
import lottery.simulation.SimulationQueue.SimulationPermit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The queue of simulations")
class SimulationQueueTest {

    private static final SimulationPlan LONG = new SimulationPlan(10_000_000, 1_000, 1, 100, 1);
    private static final SimulationPlan SHORT = new SimulationPlan(100, 10, 1, 2, 1);

    private final CompiledStrategy rules = Described.single().award(1, "0.5").rules();
    private final AtomicInteger seconds = new AtomicInteger();
    private final InstantSource clock = () -> Instant.ofEpochSecond(seconds.get());
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final SimulationQueue simulations = new SimulationQueue(clock, meters);

    @AfterEach
    void end() {
        simulations.destroy();
    }

    @Test
    @DisplayName("Simulations run one after the other, and are counted.")
    void played() {
        try (SimulationPermit permit = simulations.enter(rules).orThrow()) {
            assertThat(permit.play(SHORT, _ -> true)).isInstanceOf(Answer.Done.class);
        }
        assertThat(meters.counter("lottery.simulated.draws").count()).isEqualTo(200);
        assertThat(meters.get("lottery.simulations").gauge().value()).isZero();
    }

    @Test
    @DisplayName("The queue has a few permits, which are free again when they are closed.")
    void places() {
        List<SimulationPermit> taken = new ArrayList<>();
        for (int i = 0; i < SimulationQueue.PLACES_MAX; i++) {
            taken.add(simulations.enter(rules).orThrow());
        }
        assertThat(simulations.enter(rules)).isEqualTo(busy());
        taken.getFirst().close();
        assertThat(simulations.enter(rules)).isInstanceOf(Answer.Done.class);
    }

    @Test
    @DisplayName("A simulation stops when nobody waits for it any more.")
    void nobodyThere() {
        try (SimulationPermit permit = simulations.enter(rules).orThrow()) {
            assertThat(permit.play(LONG, done -> done == 0)).isEqualTo(busy());
            assertThat(permit.play(SHORT, _ -> false)).isEqualTo(busy());
        }
        assertIsLeftEarly();
    }

    @Test
    @DisplayName("A simulation stops after its time limit.")
    void tooLong() {
        try (SimulationPermit permit = simulations.enter(rules).orThrow()) {
            assertThat(permit.play(LONG, _ -> {
                        seconds.addAndGet(20);
                        return true;
                    }))
                    .isEqualTo(busy());
        }
        assertIsLeftEarly();
    }

    /** Asserts that the simulation stops, and that the next one has all threads. */
    private void assertIsLeftEarly() {
        assertThat(meters.counter("lottery.simulated.draws").count()).isLessThan(LONG.drawsOfAllRuns() / 2.0);
        try (SimulationPermit permit = simulations.enter(rules).orThrow()) {
            assertThat(permit.play(SHORT, _ -> true)).isInstanceOf(Answer.Done.class);
        }
    }

    private Answer<?> busy() {
        return Answer.no(new Refused(Refusal.BUSY, rules.strategyId().text()));
    }
}
