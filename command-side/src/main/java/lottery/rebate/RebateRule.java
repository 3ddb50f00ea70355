package lottery.rebate;

import static org.axonframework.modelling.command.AggregateLifecycle.apply;

import lottery.activity.ActivityCache;
import lottery.api.Answer;
import lottery.api.Refusal;
import lottery.api.RefusedException;
import lottery.api.rebate.DefinedRebateRuleVersion;
import lottery.api.rebate.RebateRuleCommand.DefineRebateRule;
import lottery.api.rebate.RebateRuleDefinition;
import lottery.api.rebate.RebateRuleDefinition.RebateRuleState;
import lottery.api.rebate.RebateRuleEvent.RebateRuleDefined;
import org.axonframework.commandhandling.CommandHandler;
import org.axonframework.eventsourcing.EventSourcingHandler;
import org.axonframework.modelling.command.AggregateCreationPolicy;
import org.axonframework.modelling.command.AggregateIdentifier;
import org.axonframework.modelling.command.CreationPolicy;
import org.axonframework.spring.stereotype.Aggregate;
import org.jspecify.annotations.Nullable;

/** A rule that gives rebates for a behaviour. It has versions, and the newest adopted version is in force. */
@Aggregate(type = "rebate-rule", commandTargetResolver = "commandTargets", lockFactory = "aggregateLocks")
class RebateRule {

    @AggregateIdentifier
    @SuppressWarnings("unused") // Axon reads it.
    private @Nullable String id;

    private int version;
    private @Nullable RebateRuleDefinition definition;

    RebateRule() {}

    /** Throws a refusal, because the rule may not exist and a refusal must not create it. */
    @CommandHandler
    @CreationPolicy(AggregateCreationPolicy.CREATE_IF_MISSING)
    Answer<DefinedRebateRuleVersion> handle(DefineRebateRule define, ActivityCache activities) {
        Integer wanted = define.version();
        if (define.definition().equals(definition) && (wanted == null || wanted == version)) {
            return Answer.done(new DefinedRebateRuleVersion(version, false));
        }
        boolean isAlone = wanted == null && define.definition().state() == RebateRuleState.OPEN;
        if (isAlone || (wanted != null && wanted != version + 1)) {
            throw new RefusedException(Refusal.VERSION_STALE, "%s (version %d)".formatted(define.ruleId(), version));
        }
        RebateRuleValidator.requireFit(define.ruleId(), define.definition(), activities::findInLog);
        apply(new RebateRuleDefined(define.ruleId(), version + 1, define.definition()));
        return Answer.done(new DefinedRebateRuleVersion(version, true));
    }

    @EventSourcingHandler
    void on(RebateRuleDefined defined) {
        id = defined.ruleId().text();
        version = defined.version();
        definition = defined.definition();
    }
}
