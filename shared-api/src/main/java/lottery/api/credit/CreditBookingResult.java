package lottery.api.credit;

import lottery.api.UserId;

/**
 * The booking under a business number.
 *
 * @param isNew whether it was booked just now; false if it had been booked before
 */
public record CreditBookingResult(CreditEntry entry, boolean isNew) {

    /** Returns the reference of the booking: the account, and the number of the entry in it. */
    public String reference(UserId userId) {
        return new CreditAccountId(userId).reference(entry.entry());
    }
}
