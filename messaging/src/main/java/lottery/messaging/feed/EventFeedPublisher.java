package lottery.messaging.feed;

import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
import lottery.messaging.BatchPublisher;
import lottery.messaging.KafkaTopics;
import lottery.messaging.OutgoingMessage;
import lottery.store.log.LogPosition;
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
 * Publishes the public feed of events, from the first event on. Messages of one user and of one activity are in the
 * order of their events.
 *
 * <p>Replays are not allowed, because a replay would publish every message again, and readers do not expect this. An
 * operator who wants to publish all messages again deletes the processor's token (see docs/events.md).
 */
@Component
@ProcessingGroup("feed")
@DisallowReplay
@ConditionalOnBooleanProperty(name = "lottery.feed.enabled", matchIfMissing = true)
final class EventFeedPublisher {

    private static final String SOURCE = "/lottery/feed";

    private static final String SEQUENCE = "sequence";
    private static final int SEQUENCE_DIGITS = 19;

    private final BatchPublisher batchPublisher;

    EventFeedPublisher(BatchPublisher batchPublisher) {
        this.batchPublisher = batchPublisher;
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
        List<AwardRecordFeedMessage> told = FeedTranslation.of(event);
        for (int i = 0; i < told.size(); i++) {
            batchPublisher.sendInTurn(message(told.get(i), idOf(message, i), message));
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

    @EventHandler
    void on(ProposalEvent event, TrackedEventMessage<?> message) {
        tell(FeedTranslation.of(event), message);
    }

    @EventHandler
    void on(RebateRuleEvent event, TrackedEventMessage<?> message) {
        tell(FeedTranslation.of(event), message);
    }

    @EventHandler
    void on(BehaviourEvent event, TrackedEventMessage<?> message) {
        tell(FeedTranslation.of(event), message);
    }

    @EventHandler
    void on(SignInEvent event, TrackedEventMessage<?> message) {
        tell(FeedTranslation.of(event), message);
    }

    @EventHandler
    void on(RebateCountEvent event, TrackedEventMessage<?> message) {
        tell(FeedTranslation.of(event), message);
    }

    @EventHandler
    void on(PoolEvent event, TrackedEventMessage<?> message) {
        tell(FeedTranslation.of(event), message);
    }

    @EventHandler
    void on(BanEvent event, TrackedEventMessage<?> message) {
        tell(FeedTranslation.of(event), message);
    }

    @EventHandler
    void on(PaymentEvent event, TrackedEventMessage<?> message) {
        tell(FeedTranslation.of(event), message);
    }

    @EventHandler
    void on(EntitlementEvent event, TrackedEventMessage<?> message) {
        tell(FeedTranslation.of(event), message);
    }

    @EventHandler
    void on(PersonEvent event, TrackedEventMessage<?> message) {
        tell(FeedTranslation.of(event), message);
    }

    /**
     * Reads the activity's few earlier events, without a snapshot, because the message needs the state at the time of
     * the event.
     */
    private static List<ActivityEvent> before(DomainEventMessage<?> happened, EventStore events) {
        return events.readEvents(happened.getAggregateIdentifier(), 0)
                .asStream()
                .takeWhile(earlier -> earlier.getSequenceNumber() < happened.getSequenceNumber())
                .<Object>map(Message::getPayload)
                .map(ActivityEvent.class::cast)
                .toList();
    }

    private void tell(Optional<? extends FeedMessage> news, TrackedEventMessage<?> message) {
        news.ifPresent(told -> batchPublisher.sendInTurn(message(told, idOf(message, 0), message)));
    }

    /** Returns the message id. Two messages of one event have different ids. */
    private static String idOf(TrackedEventMessage<?> message, int number) {
        return number == 0 ? message.getIdentifier() : message.getIdentifier() + "/" + number;
    }

    /** Builds a message from stored facts only, so that the message is the same if it is sent again after a crash. */
    static OutgoingMessage message(FeedMessage news, String id, TrackedEventMessage<?> message) {
        return new OutgoingMessage(
                KafkaTopics.EVENTS,
                news.key(),
                id,
                FeedMessage.typeOf(news.getClass()),
                SOURCE,
                news.subject(),
                // The time is truncated to the precision of the store, because a timestamp in memory has more digits.
                message.getTimestamp().truncatedTo(ChronoUnit.MICROS),
                news,
                Map.of(SEQUENCE, sequence(message.trackingToken().position().orElseThrow())));
    }

    /** Returns the position as text with leading zeros, because CloudEvents orders sequences alphabetically. */
    static String sequence(long position) {
        String digits = Long.toString(LogPosition.inCurrentLog(position).number());
        return "0".repeat(SEQUENCE_DIGITS - digits.length()) + digits;
    }
}
