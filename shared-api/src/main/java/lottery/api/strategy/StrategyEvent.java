package lottery.api.strategy;

import lottery.api.EventName;
import lottery.api.EventOfDecision;

/** The events of a strategy. */
public sealed interface StrategyEvent extends EventOfDecision {

    StrategyId strategyId();

    int version();

    StrategyDefinition definition();

    @EventName(value = "strategy.defined", revision = 2)
    record StrategyDefined(StrategyId strategyId, int version, StrategyDefinition definition)
            implements StrategyEvent {}

    /** A new version of the strategy was defined. Earlier draws keep their version. */
    @EventName(value = "strategy.revised", revision = 2)
    record StrategyRevised(StrategyId strategyId, int version, StrategyDefinition definition)
            implements StrategyEvent {}
}
