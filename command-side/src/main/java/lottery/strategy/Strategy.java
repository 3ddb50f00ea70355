package lottery.strategy;

import static org.axonframework.modelling.command.AggregateLifecycle.apply;

import java.util.List;
import lottery.api.Answer;
import lottery.api.Finding;
import lottery.api.Refusal;
import lottery.api.Refused;
import lottery.api.RefusedException;
import lottery.api.strategy.StrategyCommand.DefineStrategy;
import lottery.api.strategy.StrategyEvent;
import lottery.api.strategy.StrategyEvent.StrategyDefined;
import org.axonframework.commandhandling.CommandHandler;
import org.axonframework.eventsourcing.EventSourcingHandler;
import org.axonframework.modelling.command.AggregateCreationPolicy;
import org.axonframework.modelling.command.AggregateIdentifier;
import org.axonframework.modelling.command.CreationPolicy;
import org.axonframework.spring.stereotype.Aggregate;
import org.jspecify.annotations.Nullable;

/** Awards and odds in versions: a draw is pinned to the version that it was made with. */
@Aggregate(type = "strategy", commandTargetResolver = "commandTargets", lockFactory = "aggregateLocks")
class Strategy {

    @AggregateIdentifier
    @SuppressWarnings("unused") // Axon reads it.
    private @Nullable String id;

    Strategy() {}

    @CommandHandler
    @CreationPolicy(AggregateCreationPolicy.ALWAYS)
    Answer<Integer> handle(DefineStrategy command) {
        List<Finding> findings = DefinitionCheck.findings(command.definition());
        if (!findings.isEmpty()) {
            throw new RefusedException(
                    new Refused(Refusal.STRATEGY_INVALID, command.strategyId().text(), findings));
        }
        apply(new StrategyDefined(command.strategyId(), 1, command.definition()));
        return Answer.done(1);
    }

    @EventSourcingHandler
    void on(StrategyEvent event) {
        id = switch (event) {
            case StrategyDefined defined -> defined.strategyId().text();
        };
    }
}
