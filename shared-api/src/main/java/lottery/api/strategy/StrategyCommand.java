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
}
