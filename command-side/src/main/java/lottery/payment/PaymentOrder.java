package lottery.payment;

import static org.axonframework.modelling.command.AggregateLifecycle.apply;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import java.util.Set;
import lottery.api.Answer;
import lottery.api.Money;
import lottery.api.Refusal;
import lottery.api.Refused;
import lottery.api.UserId;
import lottery.api.activity.SkuOffer;
import lottery.api.payment.PaymentCommand.AddProvider;
import lottery.api.payment.PaymentCommand.ClosePayment;
import lottery.api.payment.PaymentCommand.DeliverPayment;
import lottery.api.payment.PaymentCommand.LeaveRefundToDesk;
import lottery.api.payment.PaymentCommand.NoteMoneyTaken;
import lottery.api.payment.PaymentCommand.NoteRefundByHand;
import lottery.api.payment.PaymentCommand.NoteRefunded;
import lottery.api.payment.PaymentCommand.OrderPayment;
import lottery.api.payment.PaymentCommand.OrderRefund;
import lottery.api.payment.PaymentEvent;
import lottery.api.payment.PaymentEvent.MoneyRefunded;
import lottery.api.payment.PaymentEvent.MoneyTaken;
import lottery.api.payment.PaymentEvent.PaymentClosed;
import lottery.api.payment.PaymentEvent.PaymentDelivered;
import lottery.api.payment.PaymentEvent.PaymentOrdered;
import lottery.api.payment.PaymentEvent.ProviderAdded;
import lottery.api.payment.PaymentEvent.RefundLeftToDesk;
import lottery.api.payment.PaymentEvent.RefundOrdered;
import lottery.api.payment.PaymentProgress;
import lottery.api.payment.PaymentProgress.TakenTrade;
import lottery.api.payment.PaymentState;
import lottery.api.payment.RefundReason;
import lottery.api.payment.Trade;
import lottery.api.payment.TradeState;
import org.axonframework.commandhandling.CommandHandler;
import org.axonframework.eventsourcing.EventSourcingHandler;
import org.axonframework.modelling.command.AggregateCreationPolicy;
import org.axonframework.modelling.command.AggregateIdentifier;
import org.axonframework.modelling.command.CreationPolicy;
import org.axonframework.spring.stereotype.Aggregate;
import org.jspecify.annotations.Nullable;

/**
 * A payment of a user for a SKU. It keeps account of all money that providers have taken for it. The first money that
 * is the price, and comes in time, buys the SKU. All other money is given back.
 */
@Aggregate(type = "payment", commandTargetResolver = "commandTargets", lockFactory = "aggregateLocks")
class PaymentOrder {

    /** How long a payment waits for its money. */
    private static final Duration PAYMENT_WAIT = Duration.ofMinutes(30);

    /**
     * How long the unit of the SKU stays reserved after that, if nobody knows yet whether the money came. If a provider
     * answers even later, the money is given back.
     */
    private static final Duration RESERVED_AFTER = Duration.ofMinutes(2);

    /** The most characters of a provider's answer that are kept. */
    private static final int CAUSE_MAX = 200;

    @AggregateIdentifier
    @SuppressWarnings("unused") // Axon reads it.
    private @Nullable String id;

    private @Nullable PaymentProgress payment;

    PaymentOrder() {}

    /** Throws a refusal, because a refused payment must not be created. */
    @CommandHandler
    @CreationPolicy(AggregateCreationPolicy.ALWAYS)
    Answer<PaymentProgress> handle(OrderPayment order, PaidGoods goods, InstantSource clock) {
        Instant expiresAt = clock.instant().plus(PAYMENT_WAIT).truncatedTo(ChronoUnit.SECONDS);
        SkuOffer offer = goods.reserve(
                        order.accountId(), order.sku(), order.paymentId(), expiresAt.plus(RESERVED_AFTER))
                .orThrow();
        apply(new PaymentOrdered(
                order.paymentId(),
                order.accountId().activityId(),
                order.accountId().userId(),
                order.sku(),
                order.outBusinessNo(),
                Objects.requireNonNull(offer.price()),
                order.provider(),
                expiresAt));
        return Answer.done(payment());
    }

    @CommandHandler
    Answer<PaymentProgress> handle(AddProvider add, InstantSource clock) {
        if (payment().providers().contains(add.provider())) {
            return Answer.done(payment());
        }
        if (payment().state() != PaymentState.WAITING
                || !clock.instant().isBefore(payment().expiresAt())) {
            return Answer.no(notNow());
        }
        apply(new ProviderAdded(add.paymentId(), user(), add.provider()));
        return Answer.done(payment());
    }

    @CommandHandler
    Answer<PaymentProgress> handle(NoteMoneyTaken note, PaidGoods goods, InstantSource clock) {
        PaymentProgress before = payment();
        if (before.find(note.trade()).isPresent()) {
            return Answer.done(before);
        }
        if (before.state() == PaymentState.WAITING) {
            goods.endWait(before);
        }
        apply(new MoneyTaken(note.paymentId(), user(), note.trade(), note.money(), note.takenAt()));
        RefundReason reason = reasonAgainst(before, note.money());
        if (reason != null) {
            refund(note.trade(), reason, clock);
            if (before.state() == PaymentState.WAITING) {
                goods.release(before);
            }
        }
        return Answer.done(payment());
    }

    private static @Nullable RefundReason reasonAgainst(PaymentProgress before, Money money) {
        if (!before.trades().isEmpty()) {
            return RefundReason.PAID_TWICE;
        } else if (before.isClosed()) {
            return RefundReason.TOO_LATE;
        }
        return money.equals(before.price()) ? null : RefundReason.WRONG_AMOUNT;
    }

    /** Delivers the SKU, or else gives the money back: both in the commit that says so. */
    @CommandHandler
    Answer<PaymentProgress> handle(DeliverPayment deliver, PaidGoods goods, InstantSource clock) {
        for (TakenTrade kept : payment().in(TradeState.TAKEN)) {
            switch (goods.deliver(payment())) {
                case Answer.Done<?> _ -> apply(new PaymentDelivered(deliver.paymentId(), user(), kept.trade()));
                case Answer.No<?> _ -> {
                    goods.release(payment());
                    refund(kept.trade(), RefundReason.NOT_DELIVERABLE, clock);
                }
            }
        }
        return Answer.done(payment());
    }

    @CommandHandler
    Answer<PaymentProgress> handle(ClosePayment close, PaidGoods goods, InstantSource clock) {
        boolean isWaiting = payment().state() == PaymentState.WAITING;
        boolean mayClose = !isWaiting || !clock.instant().isBefore(payment().expiresAt());
        boolean isWhole = payment().providers().equals(close.providers());
        if (mayClose && isWhole && !payment().isClosed()) {
            if (isWaiting) {
                goods.endWait(payment());
                goods.release(payment());
            }
            apply(new PaymentClosed(close.paymentId(), user()));
        }
        return Answer.done(payment());
    }

    @CommandHandler
    Answer<PaymentProgress> handle(OrderRefund order, PaidGoods goods, InstantSource clock) {
        return require(
                        order.trade(),
                        TradeState.DELIVERED,
                        TradeState.ON_DESK,
                        TradeState.REFUND_DUE,
                        TradeState.REFUNDED)
                .then(state -> {
                    if (state == TradeState.DELIVERED) {
                        goods.takeContentBack(payment());
                    }
                    if (state == TradeState.DELIVERED || state == TradeState.ON_DESK) {
                        refund(order.trade(), RefundReason.ORDERED_BY_DESK, clock);
                    }
                    return Answer.done(payment());
                });
    }

    /** Notes what the provider has done, even if another process has left it to the desk meanwhile. */
    @CommandHandler
    Answer<PaymentProgress> handle(NoteRefunded note) {
        return require(note.trade(), TradeState.REFUND_DUE, TradeState.ON_DESK, TradeState.REFUNDED)
                .then(state -> noted(note.trade(), state));
    }

    @CommandHandler
    Answer<PaymentProgress> handle(NoteRefundByHand note) {
        return require(note.trade(), TradeState.ON_DESK).then(state -> noted(note.trade(), state));
    }

    private Answer<PaymentProgress> noted(Trade trade, TradeState before) {
        if (before != TradeState.REFUNDED) {
            apply(new MoneyRefunded(payment().paymentId(), user(), trade));
        }
        return Answer.done(payment());
    }

    @CommandHandler
    Answer<PaymentProgress> handle(LeaveRefundToDesk leave) {
        return require(leave.trade(), TradeState.REFUND_DUE, TradeState.ON_DESK).then(state -> {
            if (state == TradeState.REFUND_DUE) {
                String cause = leave.cause().substring(0, Math.min(leave.cause().length(), CAUSE_MAX));
                apply(new RefundLeftToDesk(leave.paymentId(), user(), leave.trade(), cause));
            }
            return Answer.done(payment());
        });
    }

    private void refund(Trade trade, RefundReason reason, InstantSource clock) {
        apply(new RefundOrdered(payment().paymentId(), user(), trade, reason, clock.instant()));
    }

    /** Returns the state of a trade, if it is one of these. */
    private Answer<TradeState> require(Trade trade, TradeState... states) {
        return payment()
                .find(trade)
                .map(taken -> Set.of(states).contains(taken.state())
                        ? Answer.done(taken.state())
                        : Answer.<TradeState>no(
                                new Refused(Refusal.PAYMENT_STATE, "%s (%s)".formatted(trade, taken.state()))))
                .orElseGet(() -> Answer.no(new Refused(Refusal.NOT_FOUND, trade.toString())));
    }

    private Refused notNow() {
        return new Refused(
                Refusal.PAYMENT_STATE,
                "%s (%s)".formatted(payment().paymentId(), payment().state()));
    }

    private UserId user() {
        return payment().accountId().userId();
    }

    @EventSourcingHandler
    void on(PaymentEvent event) {
        id = event.paymentId().text();
        payment = PaymentProgress.after(payment, event);
    }

    private PaymentProgress payment() {
        if (payment == null) {
            throw new IllegalStateException("it begins with an order");
        }
        return payment;
    }
}
