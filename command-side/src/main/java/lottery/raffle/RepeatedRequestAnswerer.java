package lottery.raffle;

import java.util.List;
import java.util.Optional;
import lottery.api.Answer;
import lottery.api.Refusal;
import lottery.api.Refused;
import lottery.api.account.AccountId;
import lottery.api.raffle.DrawRequestResult;
import lottery.api.raffle.DrawResult;
import lottery.api.raffle.RaffleEvent.RequestAnswered;
import lottery.api.raffle.RaffleEvent.Wish;
import lottery.api.raffle.RaffleOrderId;
import lottery.api.raffle.RaffleOrderProgress;
import lottery.api.raffle.RaffleRequestIdentity;
import org.springframework.stereotype.Component;

/**
 * Finds the first answer to a repeated request that is refused now. The request gets that answer again, whatever the
 * reason for the refusal is. Only a refusal as {@code BUSY} is returned without a look-up. In a crowd on one account
 * nearly every request is refused as busy, and a later repetition gets the answer anyway.
 */
@Component
public class RepeatedRequestAnswerer {

    private final RaffleOrderFacade orders;
    private final RequestAnswers answers;

    RepeatedRequestAnswerer(RaffleOrderFacade orders, RequestAnswers answers) {
        this.orders = orders;
        this.answers = answers;
    }

    /**
     * Returns the draws of an earlier request with the same key, which must have asked for the same number of draws. If
     * there is none, the current refusal is returned.
     */
    public Answer<DrawRequestResult> draws(RaffleRequestIdentity request, int count, Refused refused) {
        return first(request, Wish.DRAW, refused)
                .then(answer -> answer.count() == count ? Answer.done(answer) : another(request))
                .then(answer -> Answer.done(drawsOf(answer)));
    }

    /**
     * Returns the request with this id and the draws that it was answered with; empty if it was no request for draws.
     */
    Optional<DrawnRequest> drawnFor(RaffleOrderId requestId) {
        return answers.find(requestId)
                .filter(answer -> answer instanceof Answer.Done<RequestAnswered> done
                        && done.value().wish() == Wish.DRAW)
                .map(Answer::orThrow)
                .map(answer -> new DrawnRequest(
                        new AccountId(answer.activityId(), answer.userId()), answer.count(), drawsOf(answer)));
    }

    /** A request for draws, and what was drawn. */
    record DrawnRequest(AccountId accountId, int count, DrawRequestResult draws) {}

    /** Returns the draw of this order that an earlier request with the same key has made. */
    Answer<DrawRequestResult> draw(RaffleRequestIdentity request, RaffleOrderId orderId, Refused refused) {
        return order(request, Wish.DRAW_ORDER, orderId, refused).then(answer -> Answer.done(drawsOf(answer)));
    }

    /** Returns this order, if an earlier request with the same key has cancelled it. */
    Answer<RaffleOrderId> cancelled(RaffleRequestIdentity request, RaffleOrderId orderId, Refused refused) {
        return order(request, Wish.CANCEL, orderId, refused).then(_ -> Answer.done(orderId));
    }

    /**
     * Returns the order with which an earlier request with the same key was answered: a new order, or one that was open
     * already.
     */
    public Answer<RaffleOrderId> partaken(RaffleRequestIdentity request, Refused refused) {
        return first(request, Wish.PARTAKE, refused)
                .then(answer -> Answer.done(answer.orders().getFirst()));
    }

    /** Returns the entry that an earlier request with the same key has made. */
    public Answer<RaffleOrderId> entered(RaffleRequestIdentity request, Refused refused) {
        return first(request, Wish.ENTER, refused)
                .then(answer -> Answer.done(answer.orders().getFirst()));
    }

    private Answer<RequestAnswered> order(
            RaffleRequestIdentity request, Wish wish, RaffleOrderId orderId, Refused refused) {
        return first(request, wish, refused)
                .then(answer -> answer.orders().equals(List.of(orderId)) ? Answer.done(answer) : another(request));
    }

    /**
     * Returns the first answer to the request; the current refusal if there is none. A request without a key has none,
     * because it is never repeated.
     */
    private Answer<RequestAnswered> first(RaffleRequestIdentity request, Wish wish, Refused refused) {
        boolean mayBeKnown = request.repeatable() && refused.why() != Refusal.BUSY;
        Optional<Answer<RequestAnswered>> first = mayBeKnown ? answers.find(request.id()) : Optional.empty();
        return first.map(answer -> answer.then(known -> known.wish() == wish
                        ? Answer.done(known)
                        : RepeatedRequestAnswerer.<RequestAnswered>another(request)))
                .orElseGet(() -> Answer.no(refused));
    }

    private static <T> Answer<T> another(RaffleRequestIdentity request) {
        return Answer.no(new Refused(Refusal.KEY_REUSED, request.id().text()));
    }

    private DrawRequestResult drawsOf(RequestAnswered answer) {
        return new DrawRequestResult(answer.orders().stream().map(this::drawn).toList(), answer.shortage());
    }

    private DrawResult drawn(RaffleOrderId orderId) {
        return orders.find(orderId)
                .map(RaffleOrderProgress::drawn)
                .map(DrawResult::of)
                .orElseThrow(() -> new IllegalStateException(orderId + " was drawn, as an answer says"));
    }
}
