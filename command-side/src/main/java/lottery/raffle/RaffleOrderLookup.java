package lottery.raffle;

import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import lottery.api.Refusal;
import lottery.api.Refused;
import lottery.api.RefusedException;
import lottery.api.pool.PoolId;
import lottery.api.raffle.RaffleEvent.RaffleOrderRefused;
import lottery.api.raffle.RaffleOrderId;
import lottery.api.raffle.RaffleOrderProgress;
import lottery.api.raffle.RaffleOrderState;
import lottery.messaging.draw.DrawQueue;
import lottery.problem.RefusalTexts;
import lottery.raffle.RaffleOrderDetails.RaffleOrderRefusal;
import lottery.store.axon.NamedNumberSeries;
import lottery.store.trace.Actor;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * Finds an order in the log or in the queue. For a second, an order that was just drawn may still be shown as waiting.
 */
@Component
class RaffleOrderLookup {

    private final RaffleOrderFacade orders;
    private final RepeatedRequestAnswerer requests;
    private final DrawQueue queue;
    private final NamedNumberSeries entries;
    private final RefusalTexts texts;

    RaffleOrderLookup(
            RaffleOrderFacade orders,
            RepeatedRequestAnswerer requests,
            DrawQueue queue,
            NamedNumberSeries entries,
            RefusalTexts texts) {
        this.orders = orders;
        this.requests = requests;
        this.queue = queue;
        this.entries = entries;
        this.texts = texts;
    }

    /**
     * Returns an order that the caller may see.
     *
     * @throws RefusedException if there is no such order. It is also thrown if the queue cannot be reached, and the
     *     order may be there
     */
    RaffleOrderDetails find(RaffleOrderId orderId, Locale locale) {
        // The log is read before the queue and once more after it. Between the first read of the log and the read of
        // the queue, an order may be drawn and leave the queue. Only the second read of the log finds such an order.
        return queue.seen(orderId)
                .map(RaffleOrderDetails::of)
                .or(() -> stored(orderId, locale))
                .or(() -> queue.find(orderId).map(RaffleOrderDetails::of))
                .or(() -> stored(orderId, locale))
                .filter(order -> Actor.mayAccessDataOf(order.userId().value()))
                .orElseThrow(() -> new RefusedException(Refusal.NOT_FOUND, orderId.text()));
    }

    private Optional<RaffleOrderDetails> stored(RaffleOrderId orderId, Locale locale) {
        return orders.find(orderId)
                .map(order -> RaffleOrderDetails.of(order, entryNoOf(order), refusalOf(order, locale)))
                .or(() -> requests.drawnFor(orderId)
                        .map(drawn -> RaffleOrderDetails.of(orderId, drawn.accountId(), drawn.draws())));
    }

    private @Nullable Integer entryNoOf(RaffleOrderProgress order) {
        if (order.state() != RaffleOrderState.ENTERED && order.state() != RaffleOrderState.CANCELLED) {
            return null;
        }
        OptionalInt number = entries.numberOf(
                new PoolId(order.accountId().activityId()).text(),
                order.orderId().text());
        return number.isPresent() ? number.getAsInt() : null;
    }

    private @Nullable RaffleOrderRefusal refusalOf(RaffleOrderProgress order, Locale locale) {
        RaffleOrderRefused event = order.refused();
        if (event == null) {
            return null;
        }
        Refused refused = event.refused();
        return new RaffleOrderRefusal(
                event.reason(), texts.title(refused.why(), locale), texts.detail(refused, locale), event.refusedAt());
    }
}
