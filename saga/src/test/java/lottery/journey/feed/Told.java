package lottery.journey.feed;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import lottery.api.Event;
import lottery.api.account.AccountEvent;
import lottery.api.account.RechargeEvent;
import lottery.api.activity.ActivityEvent;
import lottery.api.activity.ActivityEvent.ActivityCreated;
import lottery.api.activity.ActivityEvent.ActivityStarted;
import lottery.api.award.AwardEvent;
import lottery.api.choice.TreeEvent;
import lottery.api.credit.CreditEvent;
import lottery.api.raffle.RaffleEvent;
import lottery.api.strategy.StrategyEvent;

/** What is told of each stored event, after a campaign has started. */
final class Told {

    private static final List<ActivityEvent> BEFORE =
            List.of(StoredEvents.one(ActivityCreated.class), StoredEvents.one(ActivityStarted.class));

    private Told() {}

    static List<? extends News> of(Event event) {
        return switch (event) {
            case ActivityEvent activity -> list(Translation.of(activity, BEFORE));
            case AccountEvent account -> list(Translation.of(account));
            case RechargeEvent recharge -> list(Translation.of(recharge));
            case RaffleEvent raffle -> list(Translation.of(raffle));
            case AwardEvent award -> Translation.of(award);
            case StrategyEvent strategy -> list(Translation.of(strategy));
            case TreeEvent tree -> list(Translation.of(tree));
            case CreditEvent credit -> list(Translation.of(credit));
            default -> throw new AssertionError("nobody decides whether everybody may know of " + event);
        };
    }

    private static List<? extends News> list(Optional<? extends News> news) {
        return news.stream().toList();
    }

    /** One of each type, by the name of the type. */
    static List<News> samples() {
        return StoredEvents.all().stream()
                .<News>flatMap(event -> of(event).stream())
                .sorted((one, other) -> typeOf(one).compareTo(typeOf(other)))
                .toList();
    }

    static String typeOf(News news) {
        return News.typeOf(news.getClass());
    }

    /** All records of the family. */
    static Stream<Class<?>> types() {
        return members(News.class).filter(Class::isRecord);
    }

    private static Stream<Class<?>> members(Class<?> family) {
        return family.isSealed()
                ? Stream.of(family.getPermittedSubclasses()).flatMap(Told::members)
                : Stream.of(family);
    }
}
