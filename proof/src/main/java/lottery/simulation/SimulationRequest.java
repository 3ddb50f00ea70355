package lottery.simulation;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Positive;
import java.util.Objects;
import java.util.random.RandomGenerator;
import lottery.api.Answer;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of a simulation in a request.
 *
 * @param draws the draws of one run; all runs together have at most {@link SimulationPlan#DRAWS_MAX}
 * @param version the version of the strategy; the newest if it is left out
 */
record SimulationRequest(
        @NotNull @Positive @Max(SimulationPlan.DRAWS_MAX) Integer draws,
        @Nullable @Positive @Max(SimulationPlan.USERS_MAX) Integer users,
        @Nullable @Positive @Max(SimulationPlan.DAYS_MAX) Integer days,
        @Nullable @Positive @Max(SimulationPlan.RUNS_MAX) Integer runs,
        @Nullable Long seed,
        @Nullable @Positive Integer version) {

    private static final int USERS_USUAL = 1_000;

    Answer<SimulationPlan> plan(RandomGenerator random) {
        SimulationPlan plan = new SimulationPlan(
                draws,
                Objects.requireNonNullElse(users, Math.min(draws, USERS_USUAL)),
                Objects.requireNonNullElse(days, 1),
                Objects.requireNonNullElse(runs, SimulationPlan.runsFor(draws)),
                Objects.requireNonNullElseGet(seed, () -> SimulationPlan.anySeed(random)));
        return plan.drawsOfAllRuns() <= SimulationPlan.DRAWS_MAX ? Answer.done(plan) : SimulationPlan.tooLarge("/runs");
    }
}
