package lottery.simulation;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Positive;
import java.time.LocalDate;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import java.util.random.RandomGenerator;
import lottery.api.Answer;
import lottery.api.activity.ActivityDefinition;
import lottery.api.activity.ChanceBundle;
import org.jspecify.annotations.Nullable;

/**
 * The expected number of users and draws.
 *
 * @param drawsPerUser the draws of a user in the whole activity, as far as its participations allow. If it is left out,
 *     a user makes as many draws as a user who gets each SKU once.
 */
record PreflightRequest(
        @Nullable @Positive @Max(SimulationPlan.USERS_MAX) Integer users,
        @Nullable @Positive @Max(DRAWS_PER_USER_MAX) Integer drawsPerUser,
        @Nullable Long seed) {

    static final PreflightRequest USUAL = new PreflightRequest(null, null, null);

    private static final int USERS_USUAL = 1_000;
    private static final int DRAWS_PER_USER_MAX = 10_000;

    Answer<SimulationPlan> plan(ActivityDefinition activity, RandomGenerator random) {
        int many = Objects.requireNonNullElse(users, USERS_USUAL);
        int each =
                Objects.requireNonNullElseGet(drawsPerUser, () -> chances(activity, SimulationPlan.DRAWS_MAX / many));
        long draws = (long) many * each;
        if (draws > SimulationPlan.DRAWS_MAX) {
            return SimulationPlan.tooLarge("/drawsPerUser");
        }
        int ofRun = (int)
                Math.min(draws, Objects.requireNonNullElse(activity.participationsMax(), SimulationPlan.DRAWS_MAX));
        return Answer.done(new SimulationPlan(
                ofRun,
                many,
                Math.clamp(days(activity), 1, SimulationPlan.DAYS_MAX),
                SimulationPlan.runsFor(ofRun),
                Objects.requireNonNullElseGet(seed, () -> SimulationPlan.anySeed(random))));
    }

    private static int chances(ActivityDefinition activity, int most) {
        long months = ChronoUnit.MONTHS.between(first(activity).withDayOfMonth(1), last(activity)) + 1;
        long chances = Math.min(
                activity.chances(ChanceBundle::total),
                Math.min(
                        activity.chances(ChanceBundle::month) * months,
                        activity.chances(ChanceBundle::day) * days(activity)));
        return Math.clamp(chances, 1, Math.min(most, DRAWS_PER_USER_MAX));
    }

    private static long days(ActivityDefinition activity) {
        return ChronoUnit.DAYS.between(first(activity), last(activity)) + 1;
    }

    private static LocalDate first(ActivityDefinition activity) {
        return LocalDate.ofInstant(activity.beginsAt(), activity.zone());
    }

    private static LocalDate last(ActivityDefinition activity) {
        return LocalDate.ofInstant(activity.endsAt(), activity.zone());
    }
}
