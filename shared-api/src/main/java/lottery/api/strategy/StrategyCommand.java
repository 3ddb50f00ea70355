package lottery.api.strategy;

import lottery.api.Command;

/** What can be asked of a strategy; each answers with the version that it then has. */
public sealed interface StrategyCommand extends Command<Integer> {

    StrategyId strategyId();

    @Override
    default StrategyId target() {
        return strategyId();
    }

    record DefineStrategy(StrategyId strategyId, StrategyDefinition definition) implements StrategyCommand {}

    /**
     * A new version for all draws to come.
     *
     * @param version the one that it was made from: nobody overwrites what another has changed meanwhile
     */
    record ReviseStrategy(StrategyId strategyId, int version, StrategyDefinition definition)
            implements StrategyCommand {}
}
