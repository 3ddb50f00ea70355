package lottery.simulation;

import java.math.BigDecimal;
import java.util.List;
import lottery.api.strategy.AwardDefinition;
import lottery.rule.CompiledStrategy;
import org.jspecify.annotations.Nullable;

/**
 * Simulates activities that are drawn at one time. Each draw of the plan is an entry. It does not matter which entries
 * win, so they are not ordered. The awards of the strategy are given one after the other, each as often as it has
 * units, until no entry is left.
 */
final class PoolSimulation {

    private PoolSimulation() {}

    /** Returns one result for each run. The results differ only if amounts vary. */
    static List<SimulationRunResult> play(CompiledStrategy rules, SimulationPlan plan) {
        return SimulatedRandomness.of(plan.seed(), plan.runs()).stream()
                .map(randomness -> course(rules, plan.draws(), randomness))
                .toList();
    }

    private static SimulationRunResult course(CompiledStrategy rules, int entries, SimulatedRandomness randomness) {
        List<SimulatedStock> stocks =
                rules.definition().awards().stream().map(SimulatedStock::new).toList();
        int place = 0;
        for (int i = 0; i < stocks.size(); i++) {
            AwardDefinition award = rules.definition().awards().get(i);
            int units = award.stock() == null ? 0 : award.stock();
            for (int unit = 0; unit < units && place < entries; unit++) {
                var _ = stocks.get(i).give(amount(award, randomness), place);
                place++;
            }
        }
        return new SimulationRunResult(
                stocks.stream().map(SimulatedStock::given).toList(), 0, entries - place);
    }

    private static @Nullable BigDecimal amount(AwardDefinition award, SimulatedRandomness randomness) {
        return award.amount() == null ? null : CompiledStrategy.amount(award.amount(), randomness);
    }
}
