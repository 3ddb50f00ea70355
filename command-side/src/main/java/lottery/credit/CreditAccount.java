package lottery.credit;

import static org.axonframework.modelling.command.AggregateLifecycle.apply;

import java.time.InstantSource;
import java.util.Optional;
import lottery.api.Answer;
import lottery.api.Refusal;
import lottery.api.Refused;
import lottery.api.credit.CreditAccountId;
import lottery.api.credit.CreditBookingResult;
import lottery.api.credit.CreditCommand.BookCredits;
import lottery.api.credit.CreditEvent;
import lottery.api.credit.CreditEvent.CreditsBooked;
import org.axonframework.commandhandling.CommandHandler;
import org.axonframework.eventsourcing.EventSourcingHandler;
import org.axonframework.modelling.command.AggregateCreationPolicy;
import org.axonframework.modelling.command.AggregateIdentifier;
import org.axonframework.modelling.command.ConcurrencyException;
import org.axonframework.modelling.command.CreationPolicy;
import org.axonframework.serialization.Revision;
import org.axonframework.spring.stereotype.Aggregate;
import org.jspecify.annotations.Nullable;

/**
 * One user's credits, over all activities. The account keeps only the balance. The booked business numbers are kept as
 * claims.
 */
@Aggregate(
        type = "credit",
        cache = "creditCache",
        snapshotTriggerDefinition = "userSnapshots",
        commandTargetResolver = "commandTargets",
        lockFactory = "aggregateLocks")
// The revision of its snapshots. Snapshots of another revision are not used.
@Revision("1")
class CreditAccount {

    @AggregateIdentifier
    private @Nullable String id;

    private CreditAccountBalance balance = CreditAccountBalance.NONE;

    CreditAccount() {}

    /** Throws a refusal if the account does not exist yet, because a refused booking must not create it. */
    @CommandHandler
    @CreationPolicy(AggregateCreationPolicy.CREATE_IF_MISSING)
    Answer<CreditBookingResult> handle(BookCredits book, CreditBookingIndex numbers, InstantSource clock) {
        Optional<CreditsBooked> before = numbers.find(book.target(), book.businessNo());
        if (id == null && before.isPresent()) {
            throw new ConcurrencyException(book.target() + " has begun since it was looked for");
        }
        Answer<CreditBookingResult> answer =
                before.map(booked -> again(book, booked)).orElseGet(() -> book(book, numbers, clock));
        return id == null ? Answer.done(answer.orThrow()) : answer;
    }

    /**
     * Returns the answer to a repeated booking. If the same business number comes with another amount, it is refused.
     */
    private static Answer<CreditBookingResult> again(BookCredits book, CreditsBooked before) {
        return before.amount().compareTo(book.amount()) == 0
                ? Answer.done(new CreditBookingResult(before.told(), false))
                : Answer.no(new Refused(Refusal.KEY_REUSED, book.businessNo()));
    }

    /**
     * Spends a price in the current unit of work. A business number that was booked before is refused, because its
     * first booking has already paid for something.
     */
    Answer<CreditBookingResult> pay(BookCredits price, CreditBookingIndex numbers, InstantSource clock) {
        return numbers.find(price.target(), price.businessNo()).isPresent()
                ? Answer.no(new Refused(Refusal.KEY_REUSED, price.businessNo()))
                : book(price, numbers, clock);
    }

    /** Books without a look for an earlier booking under the same number. Its claim is refused if there is one. */
    Answer<CreditBookingResult> book(BookCredits book, CreditBookingIndex numbers, InstantSource clock) {
        return balance.book(book, clock.instant()).then(booked -> {
            numbers.take(booked);
            apply(booked);
            return Answer.done(new CreditBookingResult(booked.told(), true));
        });
    }

    long nextEntry() {
        return balance.entries() + 1;
    }

    @EventSourcingHandler
    void on(CreditEvent event) {
        id = new CreditAccountId(event.userId()).text();
        balance = balance.evolve(event);
    }
}
