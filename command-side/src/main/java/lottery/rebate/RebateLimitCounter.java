package lottery.rebate;

import static org.axonframework.modelling.command.AggregateLifecycle.apply;

import java.time.LocalDate;
import java.util.HashMap;
import java.util.Map;
import lottery.api.UserId;
import lottery.api.rebate.BehaviourId;
import lottery.api.rebate.RebateCountEvent;
import lottery.api.rebate.RebateCountEvent.RebateCounted;
import lottery.api.rebate.RebateLimit;
import lottery.api.rebate.RebateLimitCountsId;
import lottery.api.rebate.RebateRuleId;
import org.axonframework.eventsourcing.EventSourcingHandler;
import org.axonframework.modelling.command.AggregateIdentifier;
import org.axonframework.serialization.Revision;
import org.axonframework.spring.stereotype.Aggregate;
import org.jspecify.annotations.Nullable;

/**
 * Counts how often rules with a limit have given one user their rebates. All these counts of a user are in one event
 * stream. If two nodes want to make the last use of a rule, the second node finds a conflict in the stream, and decides
 * again.
 */
@Aggregate(
        type = "rebates",
        cache = "rebateCache",
        snapshotTriggerDefinition = "userSnapshots",
        commandTargetResolver = "commandTargets",
        lockFactory = "aggregateLocks")
// The revision of its snapshots: snapshots of another revision are not used.
@Revision("2")
class RebateLimitCounter {

    @AggregateIdentifier
    @SuppressWarnings("unused") // Axon reads it.
    private @Nullable String id;

    /** The counts by the number of the rule. */
    private Map<Long, RebateRuleUseTally> counts = Map.of();

    RebateLimitCounter() {}

    /**
     * Counts one use of a rule and returns true. If the user has already used the rule as often as its limit allows,
     * nothing is counted, and the method returns false.
     */
    boolean count(UserId user, RebateRuleId rule, RebateLimit limit, BehaviourId behaviour, LocalDate day) {
        RebateRuleUseTally before = counts.getOrDefault(rule.value(), RebateRuleUseTally.NONE);
        LocalDate today = before.today(day);
        if (before.in(limit.period(), today) >= limit.count()) {
            return false;
        }
        apply(new RebateCounted(user, rule, behaviour, today));
        return true;
    }

    @EventSourcingHandler
    void on(RebateCountEvent event) {
        switch (event) {
            case RebateCounted counted -> {
                id = new RebateLimitCountsId(counted.userId()).text();
                Map<Long, RebateRuleUseTally> more = new HashMap<>(counts);
                more.merge(
                        counted.ruleId().value(),
                        RebateRuleUseTally.first(counted.day()),
                        (before, _) -> before.plus(counted.day()));
                counts = Map.copyOf(more);
            }
        }
    }
}
