package lottery.journey.fulfilment;

import java.time.InstantSource;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import lottery.api.Answer;
import lottery.api.Refusal;
import lottery.api.award.AwardCommand.ConfirmDispatch;
import lottery.api.award.AwardRecordId;
import lottery.api.award.AwardState;
import lottery.api.strategy.AwardType;
import lottery.journey.errand.Convoy;
import lottery.journey.grant.Invoice;
import lottery.journey.letter.Letter;
import lottery.journey.letter.Post;
import lottery.journey.letter.Unreadable;
import lottery.store.command.CommandFailed;
import lottery.store.command.CommandSender;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.axonframework.commandhandling.gateway.CommandGateway;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** How fulfilments that ship with the product read invoices and answer them, where handing over costs something. */
@Component
public final class Replies {

    /** A little more than what the client of the broker allows itself. */
    private static final long ARRIVAL_MAX_SECONDS = 9;

    private final Post post;
    private final CommandGateway commands;
    private final CommandSender sender;
    private final InstantSource clock;

    Replies(Post post, CommandGateway commands, CommandSender sender, InstantSource clock) {
        this.post = post;
        this.commands = commands;
        this.sender = sender;
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
            return Optional.of(Invoice.received(letter)).filter(invoice -> invoice.type() == type);
        } catch (Unreadable putAsideElsewhere) {
            return Optional.empty();
        }
    }

    /**
     * The invoices for this type, one for each award record: copies and other attempts ask for the same.
     *
     * @return none if some that are of the same record do not, of which only each by itself can be told what is wrong
     */
    public static Collection<Invoice> readAll(List<ConsumerRecord<String, byte[]>> letters, AwardType type) {
        Map<AwardRecordId, Invoice> invoices = new LinkedHashMap<>();
        for (ConsumerRecord<String, byte[]> letter : letters) {
            Optional<Invoice> invoice = read(letter, type);
            if (invoice.isPresent()) {
                Invoice before = invoices.put(invoice.get().awardRecordId(), invoice.get());
                if (before != null && !before.asksTheSameAs(invoice.get())) {
                    return List.of();
                }
            }
        }
        return invoices.values();
    }

    /**
     * Whether an answer would still count. An invoice may come long after it was answered, by whomever: what is handed
     * over for it then is lost.
     *
     * <p>It is asked by the note that the invoice has left, which changes nothing where that is known, and is true.
     */
    public boolean areAwaited(AwardRecordId awardRecordId) {
        return stateOf(awardRecordId).isAwaited();
    }

    /**
     * Of many, for which one thread waits for one commit, the records that do.
     *
     * @throws RuntimeException where not all of them can be told; each can be asked alone then
     */
    public Set<AwardRecordId> awaited(Collection<Invoice> invoices) {
        List<AwardRecordId> asked =
                invoices.stream().map(Invoice::awardRecordId).toList();
        List<Answer<?>> states = Convoy.send(
                invoices.stream()
                        .map(invoice -> invoice.message(new ConfirmDispatch(invoice.awardRecordId())))
                        .toList(),
                commands);
        return IntStream.range(0, asked.size())
                .filter(i -> ((AwardState) states.get(i).orRefuse()).isAwaited())
                .mapToObj(asked::get)
                .collect(Collectors.toSet());
    }

    private AwardState stateOf(AwardRecordId awardRecordId) {
        Answer<AwardState> answer;
        try {
            answer = sender.send(new ConfirmDispatch(awardRecordId));
        } catch (CommandFailed failed) {
            if (failed.kind() == CommandFailed.Kind.NOT_FOUND) {
                throw none(awardRecordId);
            }
            throw new StateUnknown(awardRecordId.text() + ": " + failed, failed);
        }
        return switch (answer) {
            case Answer.Done<AwardState> done -> done.value();
            case Answer.No<AwardState> no when no.refused().why() == Refusal.NOT_FOUND -> throw none(awardRecordId);
            case Answer.No<AwardState> no -> throw new StateUnknown(no.refused().toString(), null);
        };
    }

    private static Unreadable none(AwardRecordId awardRecordId) {
        return new Unreadable("there is no " + awardRecordId.text());
    }

    /** An invoice counts as read when its answer has arrived. */
    public void grant(Invoice invoice, String reference)
            throws ExecutionException, InterruptedException, TimeoutException {
        send(List.of(granted(invoice, reference)));
    }

    /**
     * Says no.
     *
     * @param reason for people
     */
    public void reject(Invoice invoice, String reference, String reason)
            throws ExecutionException, InterruptedException, TimeoutException {
        send(List.of(rejected(invoice, reference, reason)));
    }

    public Letter granted(Invoice invoice, String reference) {
        return Fulfilment.granted(invoice.awardRecordId(), reference).answerTo(invoice, clock.instant());
    }

    public Letter rejected(Invoice invoice, String reference, String reason) {
        return Fulfilment.rejected(invoice.awardRecordId(), reference, reason).answerTo(invoice, clock.instant());
    }

    /** Waits until all have arrived. */
    public void send(List<Letter> answers) throws ExecutionException, InterruptedException, TimeoutException {
        CompletableFuture<?>[] sent = answers.stream().map(post::send).toArray(CompletableFuture<?>[]::new);
        post.depart();
        CompletableFuture.allOf(sent).get(ARRIVAL_MAX_SECONDS, TimeUnit.SECONDS);
    }

    /** Fails the letter, so that it is tried again. */
    private static final class StateUnknown extends RuntimeException {

        StateUnknown(String what, @Nullable Throwable cause) {
            super("it cannot be seen now whether an answer is awaited: " + what, cause);
        }
    }
}
