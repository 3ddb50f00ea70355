package lottery.raffle;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import lottery.api.Answer;
import lottery.api.UserId;
import lottery.api.account.AccountId;
import lottery.api.activity.ActivityId;
import lottery.api.raffle.DrawRequestResult;
import lottery.api.raffle.DrawResult;
import lottery.api.raffle.RaffleEvent;
import lottery.api.raffle.RaffleEvent.EntryMade;
import lottery.api.raffle.RaffleEvent.RaffleDrawn;
import lottery.api.raffle.RaffleEvent.RaffleOrderCancelled;
import lottery.api.raffle.RaffleEvent.RaffleOrderCreated;
import lottery.api.raffle.RaffleEvent.RaffleOrderRefused;
import lottery.api.raffle.RaffleEvent.RequestAnswered;
import lottery.api.raffle.RaffleEvent.Wish;
import lottery.api.raffle.RaffleOrderId;
import lottery.api.raffle.RaffleRequestIdentity;
import lottery.store.axon.EventStreams;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.springframework.stereotype.Component;

/**
 * Stores the answers to requests. The event stream with a request's id begins with the order that the request has made,
 * or with the answer itself. An id can begin only one stream. So two equal requests cannot get different answers.
 */
@Component
public class RequestAnswers {

    private final EventStore events;

    RequestAnswers(EventStore events) {
        this.events = events;
    }

    /** Stores the order that a request was answered with, unless that order has the request's own id. */
    public static void keep(RaffleRequestIdentity request, AccountId account, Wish wish, RaffleOrderId order) {
        keep(
                request,
                new RequestAnswered(
                        request.id(), account.activityId(), account.userId(), wish, 1, List.of(order), null));
    }

    /** Stores the draws that a request was answered with, unless the first of their orders has the request's own id. */
    public static void keep(RaffleRequestIdentity request, AccountId account, int count, DrawRequestResult draws) {
        if (draws.draws().getFirst().orderId().equals(request.id())) {
            return; // A repeated request finds that order.
        }
        List<RaffleOrderId> orders =
                draws.draws().stream().map(DrawResult::orderId).toList();
        keep(
                request,
                new RequestAnswered(
                        request.id(),
                        account.activityId(),
                        account.userId(),
                        Wish.DRAW,
                        count,
                        orders,
                        draws.shortage()));
    }

    /**
     * Stores an answer. The answer to a request without a key is not stored, because such a request is never repeated.
     */
    private static void keep(RaffleRequestIdentity request, RequestAnswered answer) {
        if (request.repeatable()) {
            AggregateCreator.create(RaffleOrder.class, () -> new RaffleOrder(answer));
        }
    }

    /**
     * Returns the stored answer to this request, if there is one. If the request has waited in the queue, the answer
     * may be a refusal.
     */
    Optional<Answer<RequestAnswered>> find(RaffleOrderId requestId) {
        return EventStreams.<RaffleEvent>first(events, requestId.text()).map(RequestAnswers::answerOf);
    }

    private static Answer<RequestAnswered> answerOf(RaffleEvent first) {
        return switch (first) {
            case RaffleOrderCreated(RaffleOrderId id, ActivityId activity, UserId user, Instant _) ->
                Answer.done(new RequestAnswered(id, activity, user, Wish.PARTAKE, 1, List.of(id), null));
            case RaffleDrawn drawn ->
                Answer.done(new RequestAnswered(
                        drawn.orderId(),
                        drawn.activityId(),
                        drawn.userId(),
                        Wish.DRAW,
                        1,
                        List.of(drawn.orderId()),
                        null));
            case EntryMade entry ->
                Answer.done(new RequestAnswered(
                        entry.orderId(),
                        entry.activityId(),
                        entry.userId(),
                        Wish.ENTER,
                        1,
                        List.of(entry.orderId()),
                        null));
            case RequestAnswered answered -> Answer.done(answered);
            case RaffleOrderRefused refused -> Answer.no(refused.refused());
            case RaffleOrderCancelled cancelled ->
                throw new IllegalStateException(cancelled.orderId() + " begins with its end");
        };
    }
}
