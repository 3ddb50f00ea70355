package lottery.payment;

import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import lottery.api.Answer;
import lottery.api.Refusal;
import lottery.api.Refused;
import lottery.api.payment.PaymentCommand;
import lottery.api.payment.PaymentCommand.DeliverPayment;
import lottery.api.payment.PaymentCommand.ExpirePayment;
import lottery.api.payment.PaymentCommand.LeaveRefundToDesk;
import lottery.api.payment.PaymentCommand.NoteRefunded;
import lottery.api.payment.PaymentCommand.SettlePayment;
import lottery.api.payment.PaymentId;
import lottery.api.payment.PaymentProgress;
import lottery.api.payment.PaymentProgress.TakenTrade;
import lottery.api.payment.PaymentState;
import lottery.api.payment.TradeState;
import lottery.payment.PaymentProvider.MoneyReceipt;
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
        if (payment.state() == PaymentState.PAID) {
            Answer<PaymentProgress> delivered = commands.sendWithin(new DeliverPayment(payment.paymentId()));
            start(payment, () -> closeOthers(payment));
            return delivered;
        }
        if (!payment.isSettled()) {
            start(payment, () -> askProviders(payment));
        }
        return Answer.done(payment);
    }

    /** Starts a task, unless one for the same payment runs, or too many run. It is asked for again then. */
    private void start(PaymentProgress payment, Runnable task) {
        PaymentId paymentId = payment.paymentId();
        if (!underWay.add(paymentId)) {
            return;
        }
        if (!places.tryAcquire()) {
            underWay.remove(paymentId);
            return;
        }
        Thread.startVirtualThread(() -> {
            try {
                task.run();
            } catch (PaymentProviderUnavailableException | CommandFailedException e) {
                LOG.warn("{} is not settled yet: {}. It is tried again.", paymentId, e.getMessage());
            } catch (RuntimeException e) {
                LOG.error("{} is not settled, because of an unexpected failure. It is tried again.", paymentId, e);
            } finally {
                places.release();
                underWay.remove(paymentId);
            }
        });
    }

    private void askProviders(PaymentProgress payment) {
        if (payment.state() == PaymentState.WAITING) {
            findMoney(payment);
        }
        payment.in(TradeState.REFUND_DUE).forEach(trade -> refund(payment, trade));
    }

    /** Looks for money whose message has not arrived. After its time, a payment without money expires. */
    private void findMoney(PaymentProgress waiting) {
        boolean isOver = !clock.instant().isBefore(waiting.expiresAt());
        if (isOver) {
            allOf(waiting).forEach(provider -> provider.close(waiting.paymentId()));
        }
        List<MoneyReceipt> receipts = allOf(waiting).stream()
                .flatMap(provider -> provider.receipts(waiting.paymentId()).stream())
                .toList();
        receipts.forEach(receipt -> send(receipt.toCommand()));
        if (receipts.isEmpty() && isOver && clocks.isAgreed()) {
            send(new ExpirePayment(waiting.paymentId()));
        }
    }

    private void closeOthers(PaymentProgress paid) {
        String payer = paid.trades().getFirst().trade().provider();
        allOf(paid).stream()
                .filter(provider -> !provider.name().equals(payer))
                .forEach(provider -> provider.close(paid.paymentId()));
    }

    private void refund(PaymentProgress payment, TakenTrade due) {
        PaymentId paymentId = payment.paymentId();
        String refundNo = paymentId.number() + "r" + payment.trades().indexOf(due);
        try {
            Optional<String> refusal =
                    provider(due.trade().provider()).refund(paymentId, due.trade(), due.money(), refundNo);
            send(
                    refusal.isPresent()
                            ? new LeaveRefundToDesk(paymentId, due.trade(), refusal.get())
                            : new NoteRefunded(paymentId, due.trade()));
        } catch (PaymentProviderUnavailableException e) {
            boolean isPatienceOver = due.refundOrderedAt() != null
                    && due.refundOrderedAt().plus(REFUND_PATIENCE).isBefore(clock.instant());
            if (!isPatienceOver) {
                throw e;
            }
            send(new LeaveRefundToDesk(paymentId, due.trade(), "the provider has not answered for a day"));
        }
    }

    private List<PaymentProvider> allOf(PaymentProgress payment) {
        return payment.providers().stream().map(this::provider).toList();
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
