package lottery.rebate;

import static org.axonframework.modelling.command.AggregateLifecycle.apply;

import java.util.List;
import lottery.activity.ActivityCache;
import lottery.api.Answer;
import lottery.api.Finding;
import lottery.api.Refusal;
import lottery.api.Refused;
import lottery.api.RefusedException;
import lottery.api.rebate.RebateRuleCommand.DefineRebateRule;
import lottery.api.rebate.RebateRuleDefinition;
import lottery.api.rebate.RebateRuleEvent;
import lottery.api.rebate.RebateRuleEvent.RebateRuleDefined;
import lottery.api.rebate.RebateRuleVersion;
import org.axonframework.commandhandling.CommandHandler;
import org.axonframework.eventsourcing.EventSourcingHandler;
import org.axonframework.modelling.command.AggregateCreationPolicy;
import org.axonframework.modelling.command.AggregateIdentifier;
import org.axonframework.modelling.command.CreationPolicy;
import org.axonframework.spring.stereotype.Aggregate;
import org.jspecify.annotations.Nullable;

/** A rule that gives rebates for a behaviour. It has versions, and the newest one holds. */
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
    Answer<RebateRuleVersion> handle(DefineRebateRule define, ActivityCache activities) {
        if (define.definition().equals(definition)) {
            return Answer.done(new RebateRuleVersion(version, false));
        }
        List<Finding> findings = RebateRuleCheck.findings(define.definition(), activities::find);
        if (!findings.isEmpty()) {
            throw new RefusedException(
                    new Refused(Refusal.INVALID, define.ruleId().text(), findings));
        }
        apply(new RebateRuleDefined(define.ruleId(), version + 1, define.definition()));
        return Answer.done(new RebateRuleVersion(version, true));
    }

    @EventSourcingHandler
    void on(RebateRuleEvent event) {
        switch (event) {
            case RebateRuleDefined defined -> {
                id = defined.ruleId().text();
                version = defined.version();
                definition = defined.definition();
            }
        }
    }
}
