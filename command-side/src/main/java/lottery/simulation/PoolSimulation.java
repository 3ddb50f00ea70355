package lottery.simulation;

import java.math.BigDecimal;
import java.util.List;
import lottery.api.strategy.AwardDefinition;
import lottery.rule.CompiledStrategy;
import org.jspecify.annotations.Nullable;

/**
 * Plays activities that are drawn at one time. Each draw of the plan is an entry. Which entries win makes no difference
 * to what is given: the awards have as many winners as units, in their order, until there is no entry left.
 */
final class PoolSimulation {

    private PoolSimulation() {}

    /** Returns one result for each run. Only amounts that vary make them different. */
    static List<SimulationRunResult> play(CompiledStrategy rules, SimulationPlan plan) {
        return SimulatedRandomness.of(plan.seed(), plan.runs()).stream()
                .map(dice -> course(rules, plan.draws(), dice))
                .toList();
    }

    private static SimulationRunResult course(CompiledStrategy rules, int entries, SimulatedRandomness dice) {
        List<SimulatedStock> stocks =
                rules.definition().awards().stream().map(SimulatedStock::new).toList();
        int place = 0;
        for (int i = 0; i < stocks.size(); i++) {
            AwardDefinition award = rules.definition().awards().get(i);
            int units = award.stock() == null ? 0 : award.stock();
            for (int unit = 0; unit < units && place < entries; unit++) {
                var _ = stocks.get(i).give(amount(award, dice), place);
                place++;
            }
        }
        return new SimulationRunResult(
                stocks.stream().map(SimulatedStock::given).toList(), 0, entries - place);
    }

    private static @Nullable BigDecimal amount(AwardDefinition award, SimulatedRandomness dice) {
        return award.amount() == null ? null : CompiledStrategy.amount(award.amount(), dice);
    }
}
