package lottery.rebate;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import lottery.api.rebate.RebateRuleEvent;
import lottery.api.rebate.RebateRuleEvent.RebateRuleDefined;
import lottery.api.rebate.RebateRuleEvent.RebateRuleProposed;
import lottery.api.rebate.RebateRuleId;
import lottery.store.FollowedCache;
import lottery.store.log.HistoryReader;
import lottery.store.log.KindReader;
import org.axonframework.config.ProcessingGroup;
import org.axonframework.eventhandling.DomainEventMessage;
import org.axonframework.eventhandling.EventHandler;
import org.axonframework.eventhandling.TrackedEventMessage;
import org.springframework.stereotype.Component;

/**
 * Keeps the newest version of all rebate rules, and all proposals, in the memory of this process. There are few rules.
 * It is thread-safe.
 */
@Component
@ProcessingGroup("caches")
class RebateRules {

    private final HistoryReader history;
    private final InstantSource clock;

    /** The cache has one entry, which holds all rules. */
    private final FollowedCache<String, RebateRulesSnapshot> kept;

    /**
     * All rules at one moment.
     *
     * @param rules by their numbers, the smallest first
     * @param proposals the proposals that wait for another person
     */
    private record RebateRulesSnapshot(List<RebateRuleDefined> rules, List<RebateRuleProposed> proposals) {}

    RebateRules(HistoryReader history, InstantSource clock) {
        this.history = history;
        this.clock = clock;
        this.kept = new FollowedCache<>(1, clock, new KindReader<>(history, this::rulesIn));
    }

    /** Returns all rules in the order of their numbers. They pay in the same order. */
    List<RebateRuleDefined> all() {
        return known().rules();
    }

    private RebateRulesSnapshot known() {
        return kept.find(RebateRuleId.PREFIX).orElseThrow();
    }

    /** Returns the proposal for a rule, if one waits. */
    Optional<RebateRuleProposed> proposal(RebateRuleId ruleId) {
        return proposalIn(known(), ruleId).or(() -> proposalIn(knownNow(), ruleId));
    }

    Optional<RebateRuleDefined> find(RebateRuleId ruleId) {
        return ruleIn(known(), ruleId).or(() -> ruleIn(knownNow(), ruleId));
    }

    private static Optional<RebateRuleProposed> proposalIn(RebateRulesSnapshot known, RebateRuleId ruleId) {
        return known.proposals().stream()
                .filter(proposal -> proposal.ruleId().equals(ruleId))
                .findFirst();
    }

    private static Optional<RebateRuleDefined> ruleIn(RebateRulesSnapshot known, RebateRuleId ruleId) {
        return known.rules().stream()
                .filter(rule -> rule.ruleId().equals(ruleId))
                .findFirst();
    }

    /** Returns what the log has now. It is asked for a rule that is not cached, because another process may have it. */
    private RebateRulesSnapshot knownNow() {
        return kept.findAsOf(RebateRuleId.PREFIX, clock.instant()).orElseThrow();
    }

    private RebateRulesSnapshot rulesIn(List<TrackedEventMessage<?>> newest) {
        List<RebateRuleDefined> rules = new ArrayList<>();
        List<RebateRuleProposed> proposals = new ArrayList<>();
        for (TrackedEventMessage<?> message : newest) {
            switch ((RebateRuleEvent) message.getPayload()) {
                case RebateRuleDefined defined -> rules.add(defined);
                case RebateRuleProposed proposal -> {
                    proposals.add(proposal);
                    lastDefined(proposal.ruleId()).ifPresent(rules::add);
                }
            }
        }
        rules.sort(Comparator.comparingLong(rule -> rule.ruleId().value()));
        return new RebateRulesSnapshot(List.copyOf(rules), List.copyOf(proposals));
    }

    /** Returns the version of a rule that is in force, if a newer version is proposed. */
    private Optional<RebateRuleDefined> lastDefined(RebateRuleId ruleId) {
        return history.eventsOf(List.of(ruleId.text())).stream()
                .map(DomainEventMessage::getPayload)
                .filter(RebateRuleDefined.class::isInstance)
                .map(RebateRuleDefined.class::cast)
                .reduce((_, later) -> later);
    }

    /**
     * Makes the next access look for changed rules. This method is called after a change in this process, so that the
     * change is seen before its event arrives.
     */
    void forget() {
        kept.forget(RebateRuleId.PREFIX);
    }

    @EventHandler
    void on(RebateRuleEvent event) {
        forget();
    }
}
