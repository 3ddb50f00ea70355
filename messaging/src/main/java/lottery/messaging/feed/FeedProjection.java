package lottery.messaging.feed;

import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import lottery.api.account.AccountEvent;
import lottery.api.account.RechargeEvent;
import lottery.api.activity.ActivityEvent;
import lottery.api.award.AwardEvent;
import lottery.api.choice.TreeEvent;
import lottery.api.credit.CreditEvent;
import lottery.api.raffle.RaffleEvent;
import lottery.api.strategy.StrategyEvent;
import lottery.messaging.BatchPublisher;
import lottery.messaging.KafkaTopics;
import lottery.messaging.OutgoingMessage;
import org.axonframework.config.ProcessingGroup;
import org.axonframework.eventhandling.DisallowReplay;
import org.axonframework.eventhandling.DomainEventMessage;
import org.axonframework.eventhandling.EventHandler;
import org.axonframework.eventhandling.TrackedEventMessage;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.axonframework.messaging.Message;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.stereotype.Component;

/**
 * Publishes the feed: what has happened, from the very first event on, in the order in which it happened to each user
 * and each activity.
 *
 * <p>It cannot be replayed: all that it has ever told would be told again, to readers who did not ask for it. An
 * operator who wants that takes its token away (see docs/events.md).
 */
@Component
@ProcessingGroup("feed")
@DisallowReplay
@ConditionalOnBooleanProperty(name = "lottery.feed.enabled", matchIfMissing = true)
final class FeedProjection {

    private static final String SOURCE = "/lottery/feed";

    private static final String SEQUENCE = "sequence";
    private static final int SEQUENCE_DIGITS = 19;

    private final BatchPublisher outbox;

    FeedProjection(BatchPublisher outbox) {
        this.outbox = outbox;
    }

    @EventHandler
    void on(ActivityEvent event, TrackedEventMessage<?> message, DomainEventMessage<?> happened, EventStore events) {
        tell(FeedTranslation.of(event, before(happened, events)), message);
    }

    @EventHandler
    void on(AccountEvent event, TrackedEventMessage<?> message) {
        tell(FeedTranslation.of(event), message);
    }

    @EventHandler
    void on(RechargeEvent event, TrackedEventMessage<?> message) {
        tell(FeedTranslation.of(event), message);
    }

    @EventHandler
    void on(RaffleEvent event, TrackedEventMessage<?> message) {
        tell(FeedTranslation.of(event), message);
    }

    @EventHandler
    void on(AwardEvent event, TrackedEventMessage<?> message) {
        List<AwardFeedMessage> told = FeedTranslation.of(event);
        for (int i = 0; i < told.size(); i++) {
            outbox.sendInTurn(message(told.get(i), idOf(message, i), message));
        }
    }

    @EventHandler
    void on(StrategyEvent event, TrackedEventMessage<?> message) {
        tell(FeedTranslation.of(event), message);
    }

    @EventHandler
    void on(TreeEvent event, TrackedEventMessage<?> message) {
        tell(FeedTranslation.of(event), message);
    }

    @EventHandler
    void on(CreditEvent event, TrackedEventMessage<?> message) {
        tell(FeedTranslation.of(event), message);
    }

    /** All of them and no snapshot: what was the case then, even if more has happened since. They are few. */
    private static List<ActivityEvent> before(DomainEventMessage<?> happened, EventStore events) {
        return events.readEvents(happened.getAggregateIdentifier(), 0)
                .asStream()
                .takeWhile(earlier -> earlier.getSequenceNumber() < happened.getSequenceNumber())
                .<Object>map(Message::getPayload)
                .map(ActivityEvent.class::cast)
                .toList();
    }

    private void tell(Optional<? extends FeedMessage> news, TrackedEventMessage<?> message) {
        news.ifPresent(told -> outbox.sendInTurn(message(told, idOf(message, 0), message)));
    }

    /** Two messages of one event have ids of their own. */
    private static String idOf(TrackedEventMessage<?> message, int number) {
        return number == 0 ? message.getIdentifier() : message.getIdentifier() + "/" + number;
    }

    /** Made of what is stored alone: what is told again after a crash is the same message. */
    private static OutgoingMessage message(FeedMessage news, String id, TrackedEventMessage<?> message) {
        return new OutgoingMessage(
                KafkaTopics.EVENTS,
                news.key(),
                id,
                FeedMessage.typeOf(news.getClass()),
                SOURCE,
                news.subject(),
                // As the store keeps it: from memory it comes with more digits than from the database.
                message.getTimestamp().truncatedTo(ChronoUnit.MICROS),
                news,
                Map.of(SEQUENCE, sequence(message.trackingToken().position().orElseThrow())));
    }

    /** CloudEvents wants text whose alphabetical order is that of the events: as long as the longest number. */
    static String sequence(long position) {
        String digits = Long.toString(position);
        return "0".repeat(SEQUENCE_DIGITS - digits.length()) + digits;
    }
}
