package lottery.credit;

import java.math.BigDecimal;
import java.time.InstantSource;
import lottery.api.Answer;
import lottery.api.UserId;
import lottery.api.credit.CreditAccountId;
import lottery.api.credit.CreditBookingResult;
import lottery.api.credit.CreditCommand.BookCredits;
import lottery.store.axon.EventStreams;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.axonframework.modelling.command.Aggregate;
import org.axonframework.modelling.command.AggregateNotFoundException;
import org.axonframework.modelling.command.Repository;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Lazy;
import org.springframework.stereotype.Component;

/**
 * Books a user's credits in the unit of work of the purchase or grant. So the booking is committed together with the
 * purchase or grant, or neither is.
 */
@Component
public class CreditBooker {

    private final Repository<CreditAccount> accounts;
    private final CreditBookingIndex numbers;
    private final EventStore events;
    private final InstantSource clock;

    CreditBooker(
            @Lazy @Qualifier("creditAccountRepository") Repository<CreditAccount> accounts,
            CreditBookingIndex numbers,
            EventStore events,
            InstantSource clock) {
        this.accounts = accounts;
        this.numbers = numbers;
        this.events = events;
        this.clock = clock;
    }

    /**
     * Takes the price from the user's credits, once per business number.
     *
     * @param businessNo a number that no other booking of the user has
     */
    public Answer<CreditBookingResult> pay(UserId user, BigDecimal price, String businessNo) {
        BookCredits booking = new BookCredits(user, price.negate(), businessNo, null);
        Aggregate<CreditAccount> account;
        try {
            account = accounts.load(booking.target().text());
        } catch (AggregateNotFoundException empty) {
            return CreditAccountBalance.NONE.book(booking, clock.instant()).then(_ -> {
                throw new IllegalStateException("nobody pays with nothing");
            });
        }
        Answer<CreditBookingResult> paid = account.invoke(known -> known.pay(booking, numbers, clock));
        if (paid instanceof Answer.No) {
            EventStreams.requireLatest(events, booking.target().text(), account.version());
        }
        return paid;
    }

    /** Books once. A repeated booking under the same number is answered with the first booking. */
    public Answer<CreditBookingResult> book(BookCredits booking) {
        Aggregate<CreditAccount> account = account(booking.target());
        Answer<CreditBookingResult> answer = account.invoke(known -> known.handle(booking, numbers, clock));
        if (answer instanceof Answer.No) {
            EventStreams.requireLatest(events, booking.target().text(), account.version());
        }
        return answer;
    }

    /** Returns the reference of the booking that comes next in this unit of work. */
    public String nextReference(UserId user) {
        CreditAccountId id = new CreditAccountId(user);
        return id.reference(account(id).invoke(CreditAccount::nextEntry));
    }

    /**
     * Books the credits of an award that is won in this unit of work. No earlier booking is looked for, because nobody
     * else has its business number, which is the id of the award record.
     */
    public void bookWin(BookCredits booking) {
        account(booking.target())
                .invoke(known -> known.book(booking, numbers, clock))
                .orThrow();
    }

    private Aggregate<CreditAccount> account(CreditAccountId id) {
        try {
            return accounts.loadOrCreate(id.text(), CreditAccount::new);
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException("could not create " + id, e);
        }
    }
}
