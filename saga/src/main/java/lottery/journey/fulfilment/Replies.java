package lottery.journey.fulfilment;

import java.time.InstantSource;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import lottery.api.Answer;
import lottery.api.Refusal;
import lottery.api.award.AwardCommand.ConfirmDispatch;
import lottery.api.award.AwardRecordId;
import lottery.api.award.AwardState;
import lottery.api.strategy.AwardType;
import lottery.journey.grant.Invoice;
import lottery.journey.letter.Envelope;
import lottery.journey.letter.Post;
import lottery.journey.letter.Unreadable;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.axonframework.commandhandling.gateway.CommandGateway;
import org.axonframework.modelling.command.AggregateNotFoundException;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** How fulfilments that ship with the product read invoices and answer them, where handing over costs something. */
@Component
public final class Replies {

    /** A little more than what the client of the broker allows itself. */
    private static final long ARRIVAL_MAX_SECONDS = 9;

    private static final long STATE_MAX_SECONDS = 5;

    private final Post post;
    private final CommandGateway commands;
    private final InstantSource clock;

    Replies(Post post, CommandGateway commands, InstantSource clock) {
        this.post = post;
        this.commands = commands;
        this.clock = clock;
    }

    /**
     * The invoice, if it is for this type. What nobody can read is put aside by {@link InvoiceReader}, and once only.
     */
    public static Optional<Invoice> read(ConsumerRecord<String, byte[]> letter, AwardType type) {
        if (Invoice.isForOthers(letter, type)) {
            return Optional.empty();
        }
        try {
            return Optional.of(Envelope.open(letter, Invoice.LETTER_TYPE, Invoice.class))
                    .filter(invoice -> invoice.type() == type);
        } catch (Unreadable putAsideElsewhere) {
            return Optional.empty();
        }
    }

    /**
     * Whether an answer would still count. An invoice may come long after it was answered, by whomever: what is handed
     * over for it then is lost.
     *
     * <p>It is asked by the note that the invoice has left, which changes nothing where that is known, and is true.
     */
    public boolean areAwaited(AwardRecordId awardRecordId) throws InterruptedException {
        return switch (stateOf(awardRecordId)) {
            case WON, DISPATCHED, DISPATCH_FAILED, ON_DESK -> true;
            case GRANTED, REJECTED, COMPENSATED, FORFEITED -> false;
        };
    }

    private AwardState stateOf(AwardRecordId awardRecordId) throws InterruptedException {
        try {
            Answer<AwardState> answer = commands.<Answer<AwardState>>send(new ConfirmDispatch(awardRecordId))
                    .get(STATE_MAX_SECONDS, TimeUnit.SECONDS);
            return switch (answer) {
                case Answer.Done<AwardState> done -> done.value();
                case Answer.No<AwardState> no when no.refused().why() == Refusal.NOT_FOUND -> throw none(awardRecordId);
                case Answer.No<AwardState> no ->
                    throw new StateUnknown(no.refused().toString(), null);
            };
        } catch (ExecutionException e) {
            Throwable cause = Objects.requireNonNullElse(e.getCause(), e);
            throw cause instanceof AggregateNotFoundException
                    ? none(awardRecordId)
                    : new StateUnknown(awardRecordId.text() + ": " + cause, cause);
        } catch (TimeoutException e) {
            throw new StateUnknown(awardRecordId.text(), e);
        }
    }

    private static Unreadable none(AwardRecordId awardRecordId) {
        return new Unreadable("there is no " + awardRecordId.text());
    }

    /** An invoice counts as read when its answer has arrived. */
    public void grant(Invoice invoice, String reference)
            throws ExecutionException, InterruptedException, TimeoutException {
        send(invoice, Fulfilment.granted(invoice.awardRecordId(), reference));
    }

    /**
     * Says no.
     *
     * @param reason for people
     */
    public void reject(Invoice invoice, String reference, String reason)
            throws ExecutionException, InterruptedException, TimeoutException {
        send(invoice, Fulfilment.rejected(invoice.awardRecordId(), reference, reason));
    }

    private void send(Invoice invoice, Fulfilment answer)
            throws ExecutionException, InterruptedException, TimeoutException {
        post.send(answer.answerTo(invoice, clock.instant())).get(ARRIVAL_MAX_SECONDS, TimeUnit.SECONDS);
    }

    /** Fails the letter, so that it is tried again. */
    private static final class StateUnknown extends RuntimeException {

        StateUnknown(String what, @Nullable Throwable cause) {
            super("it cannot be seen now whether an answer is awaited: " + what, cause);
        }
    }
}
