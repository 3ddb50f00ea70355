package lottery.api.strategy;

import lottery.api.Event;
import lottery.api.EventName;

/** What happened to a strategy. */
public sealed interface StrategyEvent extends Event {

    StrategyId strategyId();

    int version();

    StrategyDefinition definition();

    @EventName("strategy.defined")
    record StrategyDefined(StrategyId strategyId, int version, StrategyDefinition definition)
            implements StrategyEvent {}

    /** From here on draws are made by this definition; those before keep theirs. */
    @EventName("strategy.revised")
    record StrategyRevised(StrategyId strategyId, int version, StrategyDefinition definition)
            implements StrategyEvent {}
}
