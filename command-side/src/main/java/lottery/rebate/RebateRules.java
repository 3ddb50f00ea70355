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
import lottery.api.rebate.RebateRuleId;
import lottery.store.log.HistoryReader;
import org.axonframework.config.ProcessingGroup;
import org.axonframework.eventhandling.EventHandler;
import org.axonframework.eventhandling.TrackedEventMessage;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Keeps the newest version of all rebate rules in the memory of this process. Rules are few. It is thread-safe. */
@Component
@ProcessingGroup("campaigns")
class RebateRules {

    /** The longest time that an old version is used if the event of a change arrives late. */
    private static final Duration AGE_MAX = Duration.ofSeconds(5);

    /** Rules in use are looked for again after this time in the background, so that no caller waits. */
    private static final Duration AGE_USUAL = Duration.ofSeconds(2);

    private final HistoryReader history;
    private final InstantSource clock;

    /** Has one entry: all rules. */
    private final LoadingCache<String, Known> kept = Caffeine.newBuilder()
            .expireAfterWrite(AGE_MAX)
            .refreshAfterWrite(AGE_USUAL)
            .executor(Thread::startVirtualThread)
            .build(this::read);

    /** The rules that were read last. They are still true if there are as many events as then. */
    private volatile @Nullable Known latest;

    /**
     * The rules at a time.
     *
     * @param rules by their numbers, the smallest first
     * @param events how many events they come from
     * @param asOf a time before the read began: a read may take time, and a process may be suspended
     */
    private record Known(List<RebateRuleDefined> rules, long events, Instant asOf) {}

    RebateRules(HistoryReader history, InstantSource clock) {
        this.history = history;
        this.clock = clock;
    }

    /** Returns all rules in the order of their numbers, in which they also pay. */
    List<RebateRuleDefined> all() {
        Known known = kept.get(RebateRuleId.PREFIX);
        if (known.asOf().isBefore(clock.instant().minus(AGE_MAX))) {
            kept.asMap().remove(RebateRuleId.PREFIX, known);
            known = kept.get(RebateRuleId.PREFIX);
        }
        return known.rules();
    }

    Optional<RebateRuleDefined> find(RebateRuleId ruleId) {
        return all().stream().filter(rule -> rule.ruleId().equals(ruleId)).findFirst();
    }

    private Known read(String prefix) {
        Instant now = clock.instant();
        Known before = latest;
        Known found = before != null && history.countOfEach(prefix) == before.events()
                ? new Known(before.rules(), before.events(), now)
                : readAll(prefix, now);
        latest = found;
        return found;
    }

    private Known readAll(String prefix, Instant now) {
        List<RebateRuleDefined> rules = new ArrayList<>();
        long events = 0;
        for (TrackedEventMessage<?> message : history.newestOfEach(prefix)) {
            switch ((RebateRuleEvent) message.getPayload()) {
                // Each version is one event, so that the version counts the events of its rule.
                case RebateRuleDefined defined -> {
                    rules.add(defined);
                    events += defined.version();
                }
            }
        }
        rules.sort(Comparator.comparingLong(rule -> rule.ruleId().value()));
        return new Known(List.copyOf(rules), events, now);
    }

    /** Lets the next caller look for rules, so that a change made here is seen before its event arrives. */
    void forget() {
        kept.invalidateAll();
    }

    @EventHandler
    void on(RebateRuleEvent event) {
        forget();
    }
}
