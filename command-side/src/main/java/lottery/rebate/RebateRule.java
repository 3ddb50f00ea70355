package lottery.rebate;

import static org.axonframework.modelling.command.AggregateLifecycle.apply;

import java.util.List;
import java.util.Objects;
import lottery.activity.ActivityCache;
import lottery.api.Answer;
import lottery.api.Refusal;
import lottery.api.Refused;
import lottery.api.RefusedException;
import lottery.api.SubmissionFlaw;
import lottery.api.rebate.DefinedRebateRuleVersion;
import lottery.api.rebate.RebateRuleCommand.AdoptRebateRule;
import lottery.api.rebate.RebateRuleCommand.DefineRebateRule;
import lottery.api.rebate.RebateRuleDefinition;
import lottery.api.rebate.RebateRuleDefinition.RebateRuleState;
import lottery.api.rebate.RebateRuleEvent;
import lottery.api.rebate.RebateRuleEvent.RebateRuleDefined;
import lottery.api.rebate.RebateRuleEvent.RebateRuleProposed;
import lottery.api.rebate.RebateRuleId;
import lottery.store.trace.Actor;
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

    /** The proposal that waits for another person. */
    private @Nullable RebateRuleProposed proposed;

    RebateRule() {}

    /** Throws a refusal, because the rule may not exist and a refusal must not create it. */
    @CommandHandler
    @CreationPolicy(AggregateCreationPolicy.CREATE_IF_MISSING)
    Answer<DefinedRebateRuleVersion> handle(DefineRebateRule define, ActivityCache activities) {
        if (define.definition().equals(definition)) {
            return Answer.done(takeBack(define.ruleId()));
        }
        if (proposed != null && define.definition().equals(proposed.definition())) {
            return Answer.done(new DefinedRebateRuleVersion(proposed.version(), false, true));
        }
        List<SubmissionFlaw> findings = RebateRuleValidator.findings(define.definition(), activities::findInLog);
        if (!findings.isEmpty()) {
            throw new RefusedException(
                    new Refused(Refusal.INVALID, define.ruleId().text(), findings));
        }
        int next = (proposed == null ? version : proposed.version()) + 1;
        boolean pays = define.definition().state() == RebateRuleState.OPEN;
        apply(
                pays
                        ? new RebateRuleProposed(define.ruleId(), next, define.definition(), person())
                        : new RebateRuleDefined(define.ruleId(), next, define.definition()));
        return Answer.done(new DefinedRebateRuleVersion(next, true, pays));
    }

    /** Ends a proposal that waits. For that, it defines a new version that equals the version in force. */
    private DefinedRebateRuleVersion takeBack(RebateRuleId ruleId) {
        if (proposed == null) {
            return new DefinedRebateRuleVersion(version, false, false);
        }
        int next = proposed.version() + 1;
        apply(new RebateRuleDefined(ruleId, next, Objects.requireNonNull(definition)));
        return new DefinedRebateRuleVersion(next, true, false);
    }

    /**
     * Puts a proposed version in force. The sender must not be the person who has proposed the version. If callers are
     * not authenticated, the persons cannot be compared, but two calls are still needed.
     */
    @CommandHandler
    Answer<DefinedRebateRuleVersion> handle(AdoptRebateRule adopt, ActivityCache activities) {
        if (adopt.version() == version) {
            return Answer.done(new DefinedRebateRuleVersion(version, false, false));
        }
        if (proposed == null || proposed.version() != adopt.version()) {
            return Answer.no(new Refused(
                    Refusal.VERSION_STALE,
                    "%s (%s waits)"
                            .formatted(
                                    adopt.ruleId(), proposed == null ? "nothing" : "version " + proposed.version())));
        }
        String person = person();
        if (person != null && person.equals(proposed.proposedBy())) {
            return Answer.no(new Refused(Refusal.FORBIDDEN, "rule (proposed by " + person + ")"));
        }
        List<SubmissionFlaw> findings = RebateRuleValidator.findings(proposed.definition(), activities::findInLog);
        if (!findings.isEmpty()) {
            return Answer.no(new Refused(Refusal.INVALID, adopt.ruleId().text(), findings));
        }
        apply(new RebateRuleDefined(adopt.ruleId(), adopt.version(), proposed.definition()));
        return Answer.done(new DefinedRebateRuleVersion(adopt.version(), true, false));
    }

    private static @Nullable String person() {
        return Actor.current().map(Actor::name).orElse(null);
    }

    @EventSourcingHandler
    void on(RebateRuleEvent event) {
        id = event.ruleId().text();
        switch (event) {
            case RebateRuleProposed proposal -> proposed = proposal;
            case RebateRuleDefined defined -> {
                version = defined.version();
                definition = defined.definition();
                proposed = null;
            }
        }
    }
}
