package lottery.simulation;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Positive;
import java.util.Objects;
import java.util.random.RandomGenerator;
import lottery.api.Answer;
import org.jspecify.annotations.Nullable;

/**
 * What is to be simulated.
 *
 * @param draws of one run; all runs together have no more than {@link Plan#DRAWS_MAX}
 * @param version of the strategy; the newest if there is none
 */
record SimulationForm(
        @NotNull @Positive @Max(Plan.DRAWS_MAX) Integer draws,
        @Nullable @Positive @Max(Plan.USERS_MAX) Integer users,
        @Nullable @Positive @Max(Plan.DAYS_MAX) Integer days,
        @Nullable @Positive @Max(Plan.RUNS_MAX) Integer runs,
        @Nullable Long seed,
        @Nullable @Positive Integer version) {

    private static final int USERS_USUAL = 1_000;

    Answer<Plan> plan(RandomGenerator random) {
        Plan plan = new Plan(
                draws,
                Objects.requireNonNullElse(users, Math.min(draws, USERS_USUAL)),
                Objects.requireNonNullElse(days, 1),
                Objects.requireNonNullElse(runs, Plan.runsFor(draws)),
                Objects.requireNonNullElseGet(seed, () -> Plan.anySeed(random)));
        return plan.drawsOfAllRuns() <= Plan.DRAWS_MAX ? Answer.done(plan) : Plan.tooLarge("/runs");
    }
}
