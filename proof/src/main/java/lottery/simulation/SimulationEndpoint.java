package lottery.simulation;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.Valid;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.random.RandomGenerator;
import lottery.api.Answer;
import lottery.api.Refusal;
import lottery.api.RefusedException;
import lottery.api.strategy.StrategyId;
import lottery.rule.CompiledStrategy;
import lottery.simulation.SimulationQueue.SimulationPermit;
import lottery.store.trace.TraceId;
import lottery.strategy.StrategyCache;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/** Simulates a strategy over REST. A simulation reads one version of it, and stores nothing. */
@RestController
@Tag(name = "Simulation", description = "Simulations of strategies, which store nothing.")
class SimulationEndpoint {

    private static final String SIMULATIONS = "/api/v1/strategies/{strategyId}/simulations";

    /** The time limit of the stream. It is longer than the wait for a turn and the simulation together. */
    private static final Duration STREAM_MAX = Duration.ofSeconds(90);

    record SimulationProgress(long done, long of) {}

    record SimulationStopped(Refusal code) {}

    private final StrategyCache strategies;
    private final SimulationQueue simulations;
    private final RandomGenerator random;

    SimulationEndpoint(StrategyCache strategies, SimulationQueue simulations, RandomGenerator random) {
        this.strategies = strategies;
        this.simulations = simulations;
        this.random = random;
    }

    @Operation(summary = "Try a strategy out", description = """
                    Simulates draws and returns how often each award is won, when it sells out, and what it costs. It
                    stores nothing, and the same `seed` gives the same result. All runs of a request together have at
                    most 10,000,000 draws and 30 seconds. With `Accept: text/event-stream`, the response reports the
                    progress, and the result at the end. Four simulations can run or wait at a time; further ones are
                    refused with BUSY.""")
    @PostMapping(SIMULATIONS)
    Forecast simulateStrategy(@PathVariable StrategyId strategyId, @Valid @RequestBody SimulationRequest form) {
        SimulationPlan plan = form.plan(random).orThrow();
        try (SimulationPermit permit =
                simulations.enter(rules(strategyId, form)).orThrow()) {
            return permit.play(plan, _ -> true).orThrow();
        }
    }

    /** Simulates, and sends the progress. It stops if the caller closes the connection. */
    @PostMapping(path = SIMULATIONS, produces = MediaType.TEXT_EVENT_STREAM_VALUE)
    SseEmitter follow(@PathVariable StrategyId strategyId, @Valid @RequestBody SimulationRequest form) {
        SimulationPlan plan = form.plan(random).orThrow();
        SimulationPermit permit = simulations.enter(rules(strategyId, form)).orThrow();
        SseEmitter reader = new SseEmitter(STREAM_MAX.toMillis());
        Thread.startVirtualThread(TraceId.withCurrentTrace(() -> play(permit, plan, reader)));
        return reader;
    }

    private CompiledStrategy rules(StrategyId strategyId, SimulationRequest form) {
        Integer version = form.version();
        Optional<CompiledStrategy> rules =
                version == null ? strategies.find(strategyId) : strategies.find(strategyId, version);
        return rules.orElseThrow(() -> new RefusedException(
                Refusal.NOT_FOUND, strategyId.text() + (version == null ? "" : " (%d)".formatted(version))));
    }

    private static void play(SimulationPermit permit, SimulationPlan plan, SseEmitter reader) {
        try (permit) {
            Answer<Forecast> answer = permit.play(
                    plan, done -> isTold(reader, "progress", new SimulationProgress(done, plan.drawsOfAllRuns())));
            boolean isTold = switch (answer) {
                case Answer.Done<Forecast>(Forecast forecast) -> isTold(reader, "result", forecast);
                case Answer.No<Forecast> no ->
                    isTold(reader, "stopped", new SimulationStopped(no.refused().why()));
            };
            if (isTold) {
                reader.complete();
            }
        } catch (RuntimeException e) {
            reader.completeWithError(e);
        }
    }

    private static boolean isTold(SseEmitter reader, String name, Object what) {
        try {
            reader.send(SseEmitter.event().name(name).data(what, MediaType.APPLICATION_JSON));
            return true;
        } catch (IOException | IllegalStateException e) {
            return false;
        }
    }
}
