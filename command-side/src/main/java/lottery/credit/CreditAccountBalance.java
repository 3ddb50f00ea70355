package lottery.credit;

import com.fasterxml.jackson.annotation.JsonFormat;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import lottery.api.Answer;
import lottery.api.Refusal;
import lottery.api.Refused;
import lottery.api.credit.CreditAmount;
import lottery.api.credit.CreditCommand.BookCredits;
import lottery.api.credit.CreditEvent;
import lottery.api.credit.CreditEvent.CreditsBooked;

/**
 * The credits of a user after all bookings.
 *
 * @param entries the number of bookings so far
 */
record CreditAccountBalance(
        @JsonFormat(shape = JsonFormat.Shape.STRING) BigDecimal credits, long entries) {

    static final CreditAccountBalance NONE = new CreditAccountBalance(BigDecimal.ZERO, 0);

    /** Adds one booking, unless the balance would fall below zero. */
    Answer<CreditsBooked> book(BookCredits booking, Instant now) {
        BigDecimal after = CreditAmount.plain(credits.add(booking.amount()));
        if (after.signum() < 0) {
            return Answer.no(new Refused(
                    Refusal.CREDITS_SHORT, "%s (%s)".formatted(booking.target().text(), credits.toPlainString())));
        }
        return Answer.done(new CreditsBooked(
                booking.userId(),
                entries + 1,
                booking.amount(),
                after,
                booking.businessNo(),
                booking.reason(),
                // The read model stores microseconds. So the time is cut to them, and the answer and a later statement
                // have the same time.
                now.truncatedTo(ChronoUnit.MICROS)));
    }

    CreditAccountBalance evolve(CreditEvent event) {
        return switch (event) {
            case CreditsBooked booked -> new CreditAccountBalance(booked.balance(), booked.entry());
        };
    }
}
