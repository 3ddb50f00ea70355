package lottery.api;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import lottery.api.account.AccountEvent;
import lottery.api.account.RechargeEvent;
import lottery.api.activity.ActivityEvent;
import lottery.api.award.AwardEvent;
import lottery.api.ban.BanEvent;
import lottery.api.choice.TreeEvent;
import lottery.api.credit.CreditEvent;
import lottery.api.entitlement.EntitlementEvent;
import lottery.api.payment.PaymentEvent;
import lottery.api.person.PersonEvent;
import lottery.api.pool.PoolEvent;
import lottery.api.proposal.ProposalEvent;
import lottery.api.raffle.RaffleEvent;
import lottery.api.rebate.BehaviourEvent;
import lottery.api.rebate.RebateCountEvent;
import lottery.api.rebate.RebateRuleEvent;
import lottery.api.signin.SignInEvent;
import lottery.api.strategy.StrategyEvent;

/** Lists the classes of all events by their stable names. */
public final class EventNames {

    private static final List<Class<? extends Event>> FAMILIES = List.of(
            ActivityEvent.class,
            StrategyEvent.class,
            AccountEvent.class,
            RechargeEvent.class,
            RaffleEvent.class,
            AwardEvent.class,
            TreeEvent.class,
            CreditEvent.class,
            BanEvent.class,
            RebateRuleEvent.class,
            BehaviourEvent.class,
            RebateCountEvent.class,
            SignInEvent.class,
            PoolEvent.class,
            PersonEvent.class,
            ProposalEvent.class,
            PaymentEvent.class,
            EntitlementEvent.class);

    private static final Map<String, Class<?>> CLASSES = FAMILIES.stream()
            .flatMap(EventNames::members)
            .collect(Collectors.toUnmodifiableMap(EventNames::nameOf, Function.identity()));

    private EventNames() {}

    /** Returns the classes by name. If two events have the same name, it throws, and the program does not start. */
    public static Map<String, Class<?>> all() {
        return CLASSES;
    }

    public static String nameOf(Class<?> event) {
        return nameIn(event).value();
    }

    public static int revisionOf(Class<?> event) {
        return nameIn(event).revision();
    }

    private static EventName nameIn(Class<?> event) {
        EventName name = event.getAnnotation(EventName.class);
        if (name == null) {
            throw new IllegalArgumentException(event.getName() + " is an event without @EventName");
        }
        return name;
    }

    private static Stream<Class<?>> members(Class<?> family) {
        Class<?>[] permitted = family.getPermittedSubclasses();
        if (permitted == null) {
            throw new IllegalArgumentException(family.getName() + " is a family of events and has to be sealed");
        }
        return Stream.of(permitted);
    }
}
