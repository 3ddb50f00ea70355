package lottery.api.strategy;

import lottery.api.Command;

/** The commands to a strategy; each answers with the version that the strategy then has. */
public sealed interface StrategyCommand extends Command<Integer> {

    StrategyId strategyId();

    @Override
    default StrategyId target() {
        return strategyId();
    }

    record DefineStrategy(StrategyId strategyId, StrategyDefinition definition) implements StrategyCommand {}

    /**
     * Defines a new version for all draws to come.
     *
     * @param version the version that it was made from, so that nobody overwrites another change
     */
    record ReviseStrategy(StrategyId strategyId, int version, StrategyDefinition definition)
            implements StrategyCommand {}
}
