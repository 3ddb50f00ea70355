package lottery.rebate;

import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import lottery.api.rebate.RebateRuleEvent;
import lottery.api.rebate.RebateRuleEvent.RebateRuleDefined;
import lottery.api.rebate.RebateRuleId;
import lottery.store.FollowedCache;
import lottery.store.axon.HistoryReader;
import lottery.store.axon.KindReader;
import org.axonframework.config.ProcessingGroup;
import org.axonframework.eventhandling.EventHandler;
import org.axonframework.eventhandling.TrackedEventMessage;
import org.springframework.stereotype.Component;

/**
 * Keeps the newest version of all rebate rules in the memory of this process. There are few rules. It is thread-safe.
 */
@Component
@ProcessingGroup("caches")
class RebateRules {

    private final InstantSource clock;

    /** The cache has one entry, which holds all rules by their numbers, the smallest first. */
    private final FollowedCache<String, List<RebateRuleDefined>> kept;

    RebateRules(HistoryReader history, InstantSource clock) {
        this.clock = clock;
        this.kept = new FollowedCache<>(1, clock, new KindReader<>(history, List.of(), RebateRules::changed));
    }

    /** Returns all rules in the order of their numbers. They pay in the same order. */
    List<RebateRuleDefined> all() {
        return kept.find(RebateRuleId.PREFIX).orElseThrow();
    }

    /** Returns a rule. A rule that is not cached is looked for in the log, because another process may have it. */
    Optional<RebateRuleDefined> find(RebateRuleId ruleId) {
        return ruleIn(all(), ruleId).or(() -> findNow(ruleId));
    }

    /** Returns a rule as the log has it now. */
    Optional<RebateRuleDefined> findNow(RebateRuleId ruleId) {
        return ruleIn(kept.findAsOf(RebateRuleId.PREFIX, clock.instant()).orElseThrow(), ruleId);
    }

    private static Optional<RebateRuleDefined> ruleIn(List<RebateRuleDefined> rules, RebateRuleId ruleId) {
        return rules.stream().filter(rule -> rule.ruleId().equals(ruleId)).findFirst();
    }

    private static List<RebateRuleDefined> changed(List<RebateRuleDefined> known, List<TrackedEventMessage<?>> newest) {
        Map<Long, RebateRuleDefined> rules = new TreeMap<>();
        known.forEach(rule -> rules.put(rule.ruleId().value(), rule));
        newest.stream()
                .map(message -> (RebateRuleDefined) message.getPayload())
                .forEach(rule -> rules.put(rule.ruleId().value(), rule));
        return List.copyOf(rules.values());
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
