package lottery.messaging.feed;

import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import lottery.api.Event;
import lottery.api.account.AccountEvent;
import lottery.api.account.RechargeEvent;
import lottery.api.activity.ActivityEvent;
import lottery.api.activity.ActivityEvent.ActivityCreated;
import lottery.api.activity.ActivityEvent.ActivityPassed;
import lottery.api.activity.ActivityEvent.ActivityStarted;
import lottery.api.activity.ActivityId;
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

/** The messages of each stored event, after an activity has started. */
final class FeedSamples {

    private static final List<ActivityEvent> BEFORE = List.of(
            StoredEvents.one(ActivityCreated.class),
            StoredEvents.one(ActivityPassed.class),
            StoredEvents.one(ActivityStarted.class));

    private FeedSamples() {}

    static List<? extends FeedMessage> of(Event event) {
        return switch (event) {
            case ActivityEvent activity -> list(FeedTranslation.of(activity, BEFORE));
            case AccountEvent account -> list(FeedTranslation.of(account));
            case RechargeEvent recharge -> list(FeedTranslation.of(recharge));
            case PaymentEvent payment -> list(FeedTranslation.of(payment));
            case RaffleEvent raffle -> list(FeedTranslation.of(raffle));
            case AwardEvent award -> FeedTranslation.of(award);
            case StrategyEvent strategy -> list(FeedTranslation.of(strategy));
            case TreeEvent tree -> list(FeedTranslation.of(tree));
            case CreditEvent credit -> list(FeedTranslation.of(credit));
            case EntitlementEvent entitlement -> list(FeedTranslation.of(entitlement));
            case ProposalEvent proposal -> list(FeedTranslation.of(proposal));
            case BanEvent ban -> list(FeedTranslation.of(ban));
            case PersonEvent person -> list(FeedTranslation.of(person));
            case RebateRuleEvent rule -> list(FeedTranslation.of(rule));
            case BehaviourEvent behaviour -> list(FeedTranslation.of(behaviour));
            case SignInEvent signIn -> list(FeedTranslation.of(signIn));
            case PoolEvent pool -> list(FeedTranslation.of(pool));
            case RebateCountEvent count -> list(FeedTranslation.of(count));
            default -> throw new AssertionError("nobody decides whether everybody may know of " + event);
        };
    }

    private static List<? extends FeedMessage> list(Optional<? extends FeedMessage> news) {
        return news.stream().toList();
    }

    /** Returns one message of each type, ordered by type. */
    static List<FeedMessage> samples() {
        return Stream.concat(StoredEvents.all().stream().<FeedMessage>flatMap(event -> of(event).stream()), ofStock())
                .sorted((one, other) -> typeOf(one).compareTo(typeOf(other)))
                .toList();
    }

    /** Returns the messages that no single event makes: {@link StockFeedProjection} counts for them. */
    private static Stream<FeedMessage> ofStock() {
        return Stream.of(
                new ActivityFeedMessage.StockFell(new ActivityId(100), 102, "Telephone", 200, 149, 75),
                new ActivityFeedMessage.AwardSoldOut(new ActivityId(100), 102, "Telephone", 200),
                new ActivityFeedMessage.BudgetSpent(
                        new ActivityId(100), new BigDecimal("1000"), new BigDecimal("52.5"), 5));
    }

    static String typeOf(FeedMessage news) {
        return FeedMessage.typeOf(news.getClass());
    }

    /** Returns all records of the sealed family. */
    static Stream<Class<?>> types() {
        return members(FeedMessage.class).filter(Class::isRecord);
    }

    private static Stream<Class<?>> members(Class<?> family) {
        return family.isSealed()
                ? Stream.of(family.getPermittedSubclasses()).flatMap(FeedSamples::members)
                : Stream.of(family);
    }
}
