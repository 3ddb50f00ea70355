package lottery.rebate;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import lottery.api.rebate.RebateRuleEvent;
import lottery.api.rebate.RebateRuleEvent.RebateRuleDefined;
import lottery.api.rebate.RebateRuleEvent.RebateRuleProposed;
import lottery.api.rebate.RebateRuleId;
import lottery.store.log.HistoryReader;
import org.axonframework.config.ProcessingGroup;
import org.axonframework.eventhandling.DomainEventMessage;
import org.axonframework.eventhandling.EventHandler;
import org.axonframework.eventhandling.TrackedEventMessage;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * Keeps the newest version of all rebate rules, and all proposals, in the memory of this process. There are few rules.
 * It is thread-safe.
 */
@Component
@ProcessingGroup("caches")
class RebateRules {

    /** The longest time for which an old version is used if the event of a change arrives late. */
    private static final Duration AGE_MAX = Duration.ofSeconds(5);

    /**
     * The age after which rules are looked up again. If a caller needs older rules, a background thread looks for
     * changes. The caller does not wait.
     */
    private static final Duration AGE_USUAL = Duration.ofSeconds(2);

    private final HistoryReader history;
    private final InstantSource clock;

    /** The cache has one entry, which holds all rules. */
    private final LoadingCache<String, Known> kept = Caffeine.newBuilder()
            .expireAfterWrite(AGE_MAX)
            .refreshAfterWrite(AGE_USUAL)
            .executor(Thread::startVirtualThread)
            .build(this::read);

    /**
     * The rules that were read last. If the number of events of rules in the log is still the same, they are current
     * and are not read again.
     */
    private volatile @Nullable Known latest;

    /**
     * All rules at one moment.
     *
     * @param rules by their numbers, the smallest first
     * @param proposals the proposals that wait for another person
     * @param events the number of events of rules in the log at that moment
     * @param asOf a time before the read began. A time after the read could be too late, because a read takes time and
     *     a process may be suspended
     */
    private record Known(
            List<RebateRuleDefined> rules, List<RebateRuleProposed> proposals, long events, Instant asOf) {}

    RebateRules(HistoryReader history, InstantSource clock) {
        this.history = history;
        this.clock = clock;
    }

    /** Returns all rules in the order of their numbers. They pay in the same order. */
    List<RebateRuleDefined> all() {
        return known().rules();
    }

    private Known known() {
        Known known = kept.get(RebateRuleId.PREFIX);
        if (known.asOf().isBefore(clock.instant().minus(AGE_MAX))) {
            kept.asMap().remove(RebateRuleId.PREFIX, known);
            known = kept.get(RebateRuleId.PREFIX);
        }
        return known;
    }

    /** Returns the proposal for a rule, if one waits. */
    Optional<RebateRuleProposed> proposal(RebateRuleId ruleId) {
        return known().proposals().stream()
                .filter(proposal -> proposal.ruleId().equals(ruleId))
                .findFirst();
    }

    Optional<RebateRuleDefined> find(RebateRuleId ruleId) {
        return all().stream().filter(rule -> rule.ruleId().equals(ruleId)).findFirst();
    }

    private Known read(String prefix) {
        Instant now = clock.instant();
        Known before = latest;
        Known found = before != null && history.countOfEach(prefix) == before.events()
                ? new Known(before.rules(), before.proposals(), before.events(), now)
                : readAll(prefix, now);
        latest = found;
        return found;
    }

    private Known readAll(String prefix, Instant now) {
        List<RebateRuleDefined> rules = new ArrayList<>();
        List<RebateRuleProposed> proposals = new ArrayList<>();
        long events = 0;
        for (TrackedEventMessage<?> message : history.newestOfEach(prefix)) {
            switch ((RebateRuleEvent) message.getPayload()) {
                case RebateRuleDefined defined -> rules.add(defined);
                case RebateRuleProposed proposal -> {
                    proposals.add(proposal);
                    lastDefined(proposal.ruleId()).ifPresent(rules::add);
                }
            }
            events += ((DomainEventMessage<?>) message).getSequenceNumber() + 1;
        }
        rules.sort(Comparator.comparingLong(rule -> rule.ruleId().value()));
        return new Known(List.copyOf(rules), List.copyOf(proposals), events, now);
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
        kept.invalidateAll();
    }

    @EventHandler
    void on(RebateRuleEvent event) {
        forget();
    }
}
