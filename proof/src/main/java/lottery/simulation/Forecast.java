package lottery.simulation;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;
import lottery.api.strategy.AwardDefinition;
import lottery.api.strategy.StrategyId;
import lottery.rule.CompiledStrategy;
import org.jspecify.annotations.Nullable;

/**
 * The result of a simulation of a strategy, over all runs. The same plan gives the same result, except for the measured
 * speed.
 *
 * @param fallback draws that gave the fallback in place of another award
 * @param nothing draws that gave nothing
 * @param cost the cost of all awards together
 */
record Forecast(
        StrategyId strategyId,
        int version,
        long seed,
        int draws,
        int users,
        int days,
        int runs,
        List<AwardForecast> awards,
        ForecastTally fallback,
        ForecastTally nothing,
        Spread cost,
        long drawsPerSecond) {

    /** How many draws of a run have a certain outcome, such as the fallback, and their share of all draws. */
    record ForecastTally(Spread count, Spread share) {}

    /**
     * The result for one award.
     *
     * @param expectedShare the published rate of the award
     * @param share how often it was given, as a pick or as the fallback
     * @param soldOut when the award sold out; set only if the award is limited
     * @param cost the cost of all given units; set only if the award has a cost
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record AwardForecast(
            int awardId,
            String title,
            String expectedShare,
            Spread count,
            Spread share,
            @Nullable SoldOutForecast soldOut,
            @Nullable Spread cost) {}

    /**
     * When an award sold out, which means that its last unit was given. Only the runs in which the award sold out are
     * covered.
     *
     * @param runs the number of these runs
     * @param afterDraws the number of draws in the run until the last unit was given
     * @param onDay the day of the run on which the last unit was given, counted from 1
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record SoldOutForecast(
            int runs, @Nullable Spread afterDraws, @Nullable Spread onDay) {}

    static Forecast of(CompiledStrategy rules, SimulationPlan plan, List<SimulationRunResult> courses, long millis) {
        List<AwardDefinition> awards = rules.definition().awards();
        return new Forecast(
                rules.strategyId(),
                rules.version(),
                plan.seed(),
                plan.draws(),
                plan.users(),
                plan.days(),
                plan.runs(),
                IntStream.range(0, awards.size())
                        .mapToObj(i -> award(
                                awards.get(i),
                                plan,
                                courses.stream()
                                        .map(course -> course.given().get(i))
                                        .toList()))
                        .toList(),
                tally(plan, courses, SimulationRunResult::fallbacks),
                tally(plan, courses, SimulationRunResult::nothings),
                Spread.of(courses, SimulationRunResult::cost),
                plan.drawsOfAllRuns() * 1_000 / Math.max(millis, 1));
    }

    private static AwardForecast award(
            AwardDefinition award, SimulationPlan plan, List<SimulationRunResult.GivenAward> given) {
        ForecastTally tally = tally(plan, given, SimulationRunResult.GivenAward::count);
        return new AwardForecast(
                award.awardId(),
                award.title(),
                Spread.plain(award.rate()),
                tally.count(),
                tally.share(),
                award.stock() == null ? null : soldOut(plan, given),
                award.cost() == null ? null : Spread.of(given, SimulationRunResult.GivenAward::cost));
    }

    private static SoldOutForecast soldOut(SimulationPlan plan, List<SimulationRunResult.GivenAward> given) {
        List<Integer> after = given.stream()
                .filter(SimulationRunResult.GivenAward::isSoldOut)
                .map(SimulationRunResult.GivenAward::soldOutAfter)
                .toList();
        if (after.isEmpty()) {
            return new SoldOutForecast(0, null, null);
        }
        Function<Integer, BigDecimal> day = draws -> BigDecimal.valueOf(plan.dayOf(draws - 1) + 1L);
        return new SoldOutForecast(after.size(), Spread.of(after, BigDecimal::valueOf), Spread.of(after, day));
    }

    private static <T> ForecastTally tally(SimulationPlan plan, List<T> runs, ToIntFunction<T> count) {
        BigDecimal draws = BigDecimal.valueOf(plan.draws());
        return new ForecastTally(
                Spread.of(runs, run -> BigDecimal.valueOf(count.applyAsInt(run))),
                Spread.of(runs, run -> BigDecimal.valueOf(count.applyAsInt(run)).divide(draws, MathContext.DECIMAL64)));
    }
}
