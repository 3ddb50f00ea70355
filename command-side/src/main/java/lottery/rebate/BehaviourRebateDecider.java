package lottery.rebate;

import static org.axonframework.modelling.command.AggregateLifecycle.createNew;

import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import lottery.api.UserId;
import lottery.api.rebate.BehaviourEvent.BehaviourReported;
import lottery.api.rebate.BehaviourId;
import lottery.api.rebate.OrderedRebate;
import lottery.api.rebate.RebateLimit;
import lottery.api.rebate.RebateLimitCountsId;
import lottery.api.rebate.RebateProgress;
import lottery.api.rebate.RebateRuleDefinition;
import lottery.api.rebate.RebateRuleEvent.RebateRuleDefined;
import org.axonframework.modelling.command.Repository;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Lazy;
import org.springframework.stereotype.Component;

/**
 * Decides which rebates a behaviour gets: the rebates of all rules for this behaviour that are open now. If such a rule
 * has a limit, its use is counted in the unit of work that stores the behaviour.
 */
@Component
public class BehaviourRebateDecider {

    private final RebateRules rules;
    private final Repository<RebateLimitCounter> counts;
    private final InstantSource clock;
    private final ZoneId zone;

    BehaviourRebateDecider(
            RebateRules rules,
            @Lazy @Qualifier("rebateLimitCounterRepository") Repository<RebateLimitCounter> counts,
            InstantSource clock,
            @Value("${lottery.zone:Asia/Shanghai}") ZoneId zone) {
        this.rules = rules;
        this.counts = counts;
        this.clock = clock;
        this.zone = zone;
    }

    /**
     * Returns the event to store for a behaviour that is no sign-in. Limited rules are counted on the current day in
     * the zone of the lottery.
     */
    BehaviourReported report(UserId user, String behaviour, String outBusinessNo) {
        return report(user, behaviour, outBusinessNo, LocalDate.ofInstant(clock.instant(), zone), null);
    }

    /**
     * Stores a behaviour in the current unit of work.
     *
     * @param day the day on which the uses of limited rules are counted
     * @param streak the streak, if the behaviour is a sign-in
     */
    public void create(UserId user, String behaviour, String outBusinessNo, LocalDate day, int streak) {
        BehaviourReported reported = report(user, behaviour, outBusinessNo, day, streak);
        try {
            createNew(Behaviour.class, () -> new Behaviour(reported));
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException("could not create " + reported.behaviourId(), e);
        }
    }

    /**
     * Returns the event to store for a behaviour.
     *
     * @param day the day on which the uses of limited rules are counted
     * @param streak the streak, if the behaviour is a sign-in
     */
    private BehaviourReported report(
            UserId user, String behaviour, String outBusinessNo, LocalDate day, @Nullable Integer streak) {
        BehaviourId behaviourId = BehaviourId.of(user, behaviour, outBusinessNo);
        List<OrderedRebate> rebates = new ArrayList<>();
        for (RebateRuleDefined rule : rules.all()) {
            RebateRuleDefinition definition = rule.definition();
            if (definition.pays(behaviour, streak)) {
                RebateLimit limit = definition.limit();
                boolean isInLimit = limit == null || count(user, rule, limit, behaviourId, day);
                for (int i = 0; i < definition.rebates().size(); i++) {
                    rebates.add(new OrderedRebate(
                            rule.ruleId(),
                            rule.version(),
                            i,
                            definition.rebates().get(i),
                            isInLimit ? null : RebateProgress.RULE_LIMIT));
                }
            }
        }
        Instant now = clock.instant().truncatedTo(ChronoUnit.MICROS);
        return new BehaviourReported(behaviourId, user, behaviour, outBusinessNo, now, rebates);
    }

    private boolean count(
            UserId user, RebateRuleDefined rule, RebateLimit limit, BehaviourId behaviour, LocalDate day) {
        String id = new RebateLimitCountsId(user).text();
        try {
            return counts.loadOrCreate(id, RebateLimitCounter::new)
                    .invoke(known -> known.count(user, rule.ruleId(), limit, behaviour, day));
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException("could not create " + id, e);
        }
    }
}
