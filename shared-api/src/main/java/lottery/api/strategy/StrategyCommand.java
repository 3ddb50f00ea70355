package lottery.api.strategy;

import lottery.api.Command;

/** The commands to a strategy. The answer to each is the version of the strategy after it. */
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
     * @param version the version that the definition was made from, so that nobody overwrites another change
     */
    record ReviseStrategy(StrategyId strategyId, int version, StrategyDefinition definition)
            implements StrategyCommand {}
}
