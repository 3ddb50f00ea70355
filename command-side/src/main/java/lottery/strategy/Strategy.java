package lottery.strategy;

import static org.axonframework.modelling.command.AggregateLifecycle.apply;

import java.util.List;
import lottery.api.Answer;
import lottery.api.Refusal;
import lottery.api.Refused;
import lottery.api.RefusedException;
import lottery.api.SubmissionFlaw;
import lottery.api.strategy.StrategyCommand.DefineStrategy;
import lottery.api.strategy.StrategyCommand.ReviseStrategy;
import lottery.api.strategy.StrategyEvent;
import lottery.api.strategy.StrategyEvent.StrategyDefined;
import lottery.api.strategy.StrategyEvent.StrategyRevised;
import lottery.rule.StrategyDefinitionValidator;
import org.axonframework.commandhandling.CommandHandler;
import org.axonframework.eventsourcing.EventSourcingHandler;
import org.axonframework.modelling.command.AggregateCreationPolicy;
import org.axonframework.modelling.command.AggregateIdentifier;
import org.axonframework.modelling.command.CreationPolicy;
import org.axonframework.spring.stereotype.Aggregate;
import org.jspecify.annotations.Nullable;

/** The aggregate of a strategy: awards and odds, in versions. Each draw names the version that decided it. */
@Aggregate(type = "strategy", commandTargetResolver = "commandTargets", lockFactory = "aggregateLocks")
class Strategy {

    @AggregateIdentifier
    @SuppressWarnings("unused") // Axon reads it.
    private @Nullable String id;

    private int version;

    Strategy() {}

    @CommandHandler
    @CreationPolicy(AggregateCreationPolicy.ALWAYS)
    Answer<Integer> handle(DefineStrategy define) {
        List<SubmissionFlaw> findings = StrategyDefinitionValidator.findings(define.definition());
        if (!findings.isEmpty()) {
            throw new RefusedException(
                    new Refused(Refusal.STRATEGY_INVALID, define.strategyId().text(), findings));
        }
        apply(new StrategyDefined(define.strategyId(), 1, define.definition()));
        return Answer.done(version);
    }

    @CommandHandler
    Answer<Integer> handle(ReviseStrategy revise) {
        if (revise.version() != version) {
            return Answer.no(new Refused(
                    Refusal.VERSION_STALE,
                    "%s (%d)".formatted(revise.strategyId().text(), version)));
        }
        List<SubmissionFlaw> findings = StrategyDefinitionValidator.findings(revise.definition());
        if (!findings.isEmpty()) {
            return Answer.no(
                    new Refused(Refusal.STRATEGY_INVALID, revise.strategyId().text(), findings));
        }
        apply(new StrategyRevised(revise.strategyId(), version + 1, revise.definition()));
        return Answer.done(version);
    }

    @EventSourcingHandler
    void on(StrategyEvent event) {
        id = event.strategyId().text();
        version = event.version();
    }
}
