package lottery.api.strategy;

import lottery.api.Event;
import lottery.api.EventName;

/** What happened to a strategy. */
public sealed interface StrategyEvent extends Event {

    StrategyId strategyId();

    @EventName("strategy.defined")
    record StrategyDefined(StrategyId strategyId, int version, StrategyDefinition definition)
            implements StrategyEvent {}
}
