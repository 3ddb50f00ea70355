package lottery.api.credit;

import lottery.api.UserId;

/**
 * What a business number stands for.
 *
 * @param isNew whether it was booked just now; not so where it had been booked before
 */
public record Booked(CreditEntry entry, boolean isNew) {

    /** Under which the booking is found again: the account, and its place there. */
    public String reference(UserId userId) {
        return new CreditAccountId(userId) + "#" + entry.entry();
    }
}
