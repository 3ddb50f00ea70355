package lottery.messaging.draw;

import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import lottery.api.UserId;
import lottery.api.account.AccountCommand.Draw;
import lottery.api.account.AccountCommand.DrawQueued;
import lottery.api.account.AccountId;
import lottery.api.activity.ActivityId;
import lottery.api.raffle.RaffleOrderId;
import lottery.messaging.CloudEventCodec;
import lottery.messaging.KafkaTopics;
import lottery.messaging.OutgoingMessage;
import lottery.messaging.UnreadableMessageException;
import lottery.store.trace.Actor;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * An accepted request for one or more draws, which waits for its turn.
 *
 * @param orderId the id of the request; if it asks for one draw, also the id of the order
 * @param count how many draws it asks for
 * @param queuedAt when it was accepted
 */
public record QueuedDrawRequest(
        RaffleOrderId orderId, ActivityId activityId, UserId userId, int count, Instant queuedAt) {

    public static final String MESSAGE_TYPE = "lottery.draw.queued.v1";

    private static final String SOURCE = "/lottery/draws";
    private static final String ACTOR = "actor";
    private static final String ROLE = "actorrole";

    public QueuedDrawRequest {
        Objects.requireNonNull(orderId, "orderId");
        Objects.requireNonNull(activityId, "activityId");
        Objects.requireNonNull(userId, "userId");
        Objects.requireNonNull(queuedAt, "queuedAt");
        if (count < 1 || count > Draw.COUNT_MAX) {
            throw new IllegalArgumentException("a request asks for 1 to " + Draw.COUNT_MAX + " draws");
        }
    }

    /**
     * Reads a message. Its key has to be its activity, so that the requests of one activity are drawn in order.
     *
     * @throws UnreadableMessageException for any fault of the message
     */
    public static QueuedDrawRequest read(ConsumerRecord<String, byte[]> message) {
        QueuedDrawRequest request = CloudEventCodec.decode(message, MESSAGE_TYPE, QueuedDrawRequest.class);
        if (!request.key().equals(message.key())) {
            throw new UnreadableMessageException("the key is not the activity of the content");
        }
        return request;
    }

    /** Returns the caller of the request as an actor. This actor may do only what the request says. */
    public static Optional<Actor> actorOf(ConsumerRecord<String, byte[]> message) {
        return CloudEventCodec.extension(message, ACTOR)
                .flatMap(name -> CloudEventCodec.extension(message, ROLE)
                        .map(role -> new Actor(name, role, Set.of(role), Actor.AccessScope.ALL)));
    }

    /** Returns the message, with the trace and the caller of the request that this thread works for. */
    OutgoingMessage message() {
        return new OutgoingMessage(
                        KafkaTopics.DRAW_REQUESTS,
                        key(),
                        orderId.text(),
                        MESSAGE_TYPE,
                        SOURCE,
                        orderId.text(),
                        queuedAt,
                        this,
                        Actor.current()
                                .map(actor -> Map.of(ACTOR, actor.name(), ROLE, actor.role()))
                                .orElse(Map.of()))
                .traced();
    }

    private String key() {
        return Long.toString(activityId.value());
    }

    public DrawQueued command() {
        return new DrawQueued(new AccountId(activityId, userId), orderId, count, queuedAt);
    }
}
