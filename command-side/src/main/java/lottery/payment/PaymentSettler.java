package lottery.payment;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import lottery.api.Answer;
import lottery.api.Refusal;
import lottery.api.Refused;
import lottery.api.payment.PaymentCommand;
import lottery.api.payment.PaymentCommand.ClosePayment;
import lottery.api.payment.PaymentCommand.DeliverPayment;
import lottery.api.payment.PaymentCommand.LeaveRefundToDesk;
import lottery.api.payment.PaymentCommand.NoteRefunded;
import lottery.api.payment.PaymentCommand.SearchMoney;
import lottery.api.payment.PaymentCommand.SettlePayment;
import lottery.api.payment.PaymentId;
import lottery.api.payment.PaymentProgress;
import lottery.api.payment.PaymentProgress.TakenTrade;
import lottery.api.payment.PaymentState;
import lottery.api.payment.Trade;
import lottery.api.payment.TradeState;
import lottery.store.clock.ClockAgreement;
import lottery.store.command.CommandFailedException;
import lottery.store.command.CommandSender;
import org.axonframework.commandhandling.CommandHandler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/**
 * Does what is due for a payment. The saga of the payment asks for this again until nothing is due, so each step may be
 * lost by a crash, and is repeated. Calls of providers run on threads of their own, because a provider may be silent.
 */
@Component
class PaymentSettler {

    private static final Logger LOG = LoggerFactory.getLogger(PaymentSettler.class);

    /** The most payments for which providers are asked at the same time. */
    private static final int AT_ONCE_MAX = 16;

    /** How long a provider that does not answer is asked for a refund. */
    private static final Duration REFUND_PATIENCE = Duration.ofDays(1);

    /** Some providers cannot close a payment, and end it by their own clock. */
    private static final Duration PAYABLE_AFTER = Duration.ofMinutes(2);

    private final PaymentReader payments;
    private final PaymentProviders providers;
    private final CommandSender commands;
    private final ClockAgreement clocks;
    private final InstantSource clock;
    private final Semaphore places = new Semaphore(AT_ONCE_MAX);
    private final Set<PaymentId> underWay = ConcurrentHashMap.newKeySet();

    PaymentSettler(
            PaymentReader payments,
            PaymentProviders providers,
            CommandSender commands,
            ClockAgreement clocks,
            InstantSource clock) {
        this.payments = payments;
        this.providers = providers;
        this.commands = commands;
        this.clocks = clocks;
        this.clock = clock;
    }

    @CommandHandler
    Answer<PaymentProgress> handle(SettlePayment settle) {
        Optional<PaymentProgress> found = payments.find(settle.paymentId());
        if (found.isEmpty()) {
            return Answer.no(new Refused(Refusal.NOT_FOUND, settle.paymentId().text()));
        }
        PaymentProgress payment = found.get();
        if (!payment.isSettled()) {
            start(payment.paymentId(), this::askProviders);
        }
        return payment.state() == PaymentState.PAID
                ? commands.sendWithin(new DeliverPayment(payment.paymentId()))
                : Answer.done(payment);
    }

    /** Money that is found for a closed payment is noted, and starts the saga again. */
    @CommandHandler
    Answer<PaymentProgress> handle(SearchMoney search) {
        Optional<PaymentProgress> found = payments.find(search.paymentId());
        if (found.isEmpty()) {
            return Answer.no(new Refused(Refusal.NOT_FOUND, search.paymentId().text()));
        }
        return start(search.paymentId(), this::noteReceipts)
                ? Answer.done(found.get())
                : Answer.no(new Refused(Refusal.BUSY, search.paymentId().text()));
    }

    /**
     * Starts to ask providers.
     *
     * @return false if this runs already, or too much does; then it has to be asked for again
     */
    private boolean start(PaymentId paymentId, Consumer<PaymentProgress> task) {
        if (!underWay.add(paymentId)) {
            return false;
        }
        if (!places.tryAcquire()) {
            underWay.remove(paymentId);
            return false;
        }
        Thread.startVirtualThread(() -> {
            try {
                payments.find(paymentId).ifPresent(task);
            } catch (CommandFailedException e) {
                LOG.warn("{} waits: {}.", paymentId, e.getMessage());
            } catch (RuntimeException e) {
                LOG.error("{} waits, because of an unexpected failure.", paymentId, e);
            } finally {
                places.release();
                underWay.remove(paymentId);
            }
        });
        return true;
    }

    private void askProviders(PaymentProgress payment) {
        if (!payment.isClosed()) {
            findMoney(payment);
        }
        payment.in(TradeState.REFUND_DUE)
                .forEach(trade -> asked(
                        payment.paymentId(),
                        trade.trade().provider(),
                        () -> refund(payment.paymentId(), trade.trade())));
    }

    /**
     * Looks for money whose message has not arrived. When the first money is there, or the time is over, the providers
     * are told before to take no more.
     */
    private void findMoney(PaymentProgress payment) {
        PaymentId paymentId = payment.paymentId();
        Instant now = clock.instant();
        boolean isOver = !payment.trades().isEmpty() || !now.isBefore(payment.expiresAt());
        boolean isSure = !now.isBefore(payment.expiresAt().plus(PAYABLE_AFTER));
        boolean isClosed = isOver && clocks.isAgreed();
        for (String name : payment.providers()) {
            // Money is looked for even if a provider cannot be told.
            isClosed &= isOver && (asked(paymentId, name, () -> provider(name).close(paymentId)) || isSure);
            isClosed &= noteReceipts(paymentId, name);
        }
        if (isClosed) {
            send(new ClosePayment(paymentId, payment.providers()));
        }
    }

    private void noteReceipts(PaymentProgress payment) {
        payment.providers().forEach(name -> noteReceipts(payment.paymentId(), name));
    }

    /** Notes all money that a provider has taken. Without its answer, it returns false. */
    private boolean noteReceipts(PaymentId paymentId, String name) {
        return asked(paymentId, name, () -> {
            provider(name).receipts(paymentId).forEach(receipt -> send(receipt.toCommand()));
            return true;
        });
    }

    /** Asks one provider, so that another one does not wait for its answer. Without an answer, it returns false. */
    private static boolean asked(PaymentId paymentId, String provider, BooleanSupplier question) {
        try {
            return question.getAsBoolean();
        } catch (PaymentProviderUnavailableException e) {
            LOG.warn("{} waits for {}: {}.", paymentId, provider, e.getMessage());
            return false;
        }
    }

    /** Gives money back that is still due now. Another process may have done it meanwhile. */
    private boolean refund(PaymentId paymentId, Trade trade) {
        PaymentProgress payment = payments.find(paymentId).orElseThrow();
        TakenTrade due = payment.find(trade).orElseThrow();
        if (due.state() != TradeState.REFUND_DUE) {
            return true;
        }
        String refundNo = paymentId.number() + "r" + payment.trades().indexOf(due);
        try {
            Optional<String> refusal = provider(trade.provider()).refund(paymentId, trade, due.money(), refundNo);
            send(
                    refusal.isPresent()
                            ? new LeaveRefundToDesk(paymentId, trade, refusal.get())
                            : new NoteRefunded(paymentId, trade));
        } catch (PaymentProviderUnavailableException e) {
            boolean isPatienceOver = due.refundOrderedAt() != null
                    && due.refundOrderedAt().plus(REFUND_PATIENCE).isBefore(clock.instant());
            if (!isPatienceOver) {
                throw e;
            }
            send(new LeaveRefundToDesk(paymentId, trade, "for a day: " + e.getMessage()));
        }
        return true;
    }

    private PaymentProvider provider(String name) {
        return providers
                .find(name)
                .orElseThrow(() -> new PaymentProviderUnavailableException(
                        name, new IllegalStateException("this process is not configured for it")));
    }

    private void send(PaymentCommand command) {
        Answer<PaymentProgress> answer = commands.send(command);
        if (answer instanceof Answer.No<PaymentProgress> no) {
            LOG.warn("{} was refused: {}.", command, no.refused());
        }
    }
}
