package lottery.journey.fulfilment;

import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.stream.Gatherers;
import java.util.stream.IntStream;
import lottery.api.Answer;
import lottery.api.Refused;
import lottery.api.award.AwardRecordId;
import lottery.api.credit.Booked;
import lottery.api.credit.CreditAccountId;
import lottery.api.credit.CreditAmount;
import lottery.api.credit.CreditCommand.BookCredits;
import lottery.api.strategy.AwardType;
import lottery.journey.errand.Convoy;
import lottery.journey.grant.Invoice;
import lottery.journey.letter.Hands;
import lottery.journey.letter.Letter;
import lottery.journey.letter.SideBySide;
import lottery.journey.letter.Topics;
import lottery.journey.letter.Unreadable;
import lottery.store.command.CommandFailed;
import lottery.store.command.CommandSender;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.axonframework.commandhandling.gateway.CommandGateway;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.stereotype.Component;

/**
 * Hands CREDIT awards over: books them under the number of their award record, and says so. However often it is asked,
 * and whatever happens between the booking and the answer, they are booked once, and each answer names that booking.
 */
@Component
@ConditionalOnBooleanProperty(
        name = {"lottery.fulfilment.enabled", "lottery.fulfilment.credit.enabled"},
        matchIfMissing = true)
final class CreditFulfilment implements DisposableBean {

    /** Apart from those of other types, so that none waits for what another one needs. */
    private static final String GROUP = "lottery-fulfilment-credit";

    /** In the config of an award whose amount does not vary. */
    private static final String CREDITS = "credits";

    /**
     * A booking looks its number up first, with one of the connections that draws need, too. With the two other readers
     * of these invoices that is a third of them; another one is for those who decide about codes, and the last one is
     * left to everybody else.
     */
    private static final int AT_ONCE_MAX = 6;

    /** Each holds its account until all are stored, and their users may want to pay with it. */
    private static final int PER_CONVOY_MAX = 32;

    private final CommandGateway commands;
    private final CommandSender sender;
    private final Replies replies;
    private final SideBySide sideBySide;
    private final Hands hands = new Hands("credit", AT_ONCE_MAX);

    CreditFulfilment(CommandGateway commands, CommandSender sender, Replies replies, SideBySide sideBySide) {
        this.commands = commands;
        this.sender = sender;
        this.replies = replies;
        this.sideBySide = sideBySide;
    }

    @KafkaListener(topics = Topics.INVOICE, groupId = GROUP, batch = "true")
    void on(List<ConsumerRecord<String, byte[]>> letters) throws InterruptedException {
        sideBySide.handle(letters, this::handedOverTogether, this::handedOver);
    }

    /** A few commits and one journey to the broker serve all of them. If one fails, what was booked stays so. */
    private boolean handedOverTogether(List<ConsumerRecord<String, byte[]>> letters)
            throws ExecutionException, InterruptedException, TimeoutException {
        List<Invoice> invoices = Replies.readAll(letters, AwardType.CREDIT).stream()
                .filter(invoice -> creditsOf(invoice).isPresent())
                .toList();
        if (invoices.size() < 2) {
            return false;
        }
        Set<AwardRecordId> awaited = replies.awaited(invoices);
        replies.send(invoices.stream()
                .filter(invoice -> awaited.contains(invoice.awardRecordId()))
                .gather(Gatherers.windowFixed(PER_CONVOY_MAX))
                .flatMap(convoy -> booked(convoy).stream())
                .toList());
        return true;
    }

    /** The answers that say so. */
    private List<Letter> booked(List<Invoice> invoices) {
        List<Answer<?>> answers = Convoy.send(
                invoices.stream()
                        .map(invoice -> invoice.message(
                                booking(invoice, creditsOf(invoice).orElseThrow())))
                        .toList(),
                commands);
        return IntStream.range(0, invoices.size())
                .mapToObj(i -> replies.granted(
                        invoices.get(i), referenceOf((Booked) answers.get(i).orRefuse(), invoices.get(i))))
                .toList();
    }

    private CompletableFuture<?> handedOver(ConsumerRecord<String, byte[]> letter) {
        Optional<Invoice> invoice = Replies.read(letter, AwardType.CREDIT);
        return invoice.isPresent()
                ? hands.begin(invoice.get(), invoice.get().trace(), this::handOver)
                : CompletableFuture.completedFuture(letter);
    }

    @Override
    public void destroy() {
        hands.close();
    }

    /** Of an award that says nowhere how many credits it is, somebody else may know. */
    private void handOver(Invoice invoice) throws ExecutionException, InterruptedException, TimeoutException {
        Optional<BigDecimal> credits = creditsOf(invoice);
        if (credits.isPresent() && replies.areAwaited(invoice.awardRecordId())) {
            replies.grant(invoice, book(invoice, credits.get()));
        }
    }

    /** What was drawn, or what each such award is. */
    private static Optional<BigDecimal> creditsOf(Invoice invoice) {
        BigDecimal drawn = invoice.amount();
        Optional<BigDecimal> credits = drawn == null
                ? Optional.ofNullable(invoice.content().get(CREDITS)).flatMap(CreditAmount::of)
                : Optional.of(drawn).filter(CreditAmount::isPossible);
        return credits.filter(amount -> amount.signum() > 0);
    }

    private String book(Invoice invoice, BigDecimal credits) {
        Answer<Booked> answer;
        try {
            answer = sender.send(booking(invoice, credits));
        } catch (CommandFailed failed) {
            throw new NotBooked(invoice.awardRecordId(), failed);
        }
        return switch (answer) {
            case Answer.Done<Booked>(Booked booked) -> referenceOf(booked, invoice);
            // It was booked with another amount: this is not the invoice that was sent for it.
            case Answer.No<Booked>(Refused refused) ->
                throw new Unreadable("%s for %s".formatted(refused.why(), refused.subject()));
        };
    }

    private static BookCredits booking(Invoice invoice, BigDecimal credits) {
        return new BookCredits(
                invoice.userId(),
                credits,
                invoice.awardRecordId().text(),
                invoice.award().title());
    }

    /** Under which the booking is found again: the account, and its place there. */
    private static String referenceOf(Booked booked, Invoice invoice) {
        return new CreditAccountId(invoice.userId()) + "#" + booked.entry().entry();
    }

    /** Fails the letter, so that it is tried again. */
    private static final class NotBooked extends RuntimeException {

        NotBooked(AwardRecordId awardRecordId, Throwable cause) {
            super("no credits are booked for " + awardRecordId.text() + " now: " + cause, cause);
        }
    }
}
