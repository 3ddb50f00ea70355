package lottery.view.credit;

import lottery.api.UserId;
import lottery.api.credit.CreditBalance;
import lottery.api.credit.CreditEntry;
import lottery.view.PageCursor;
import lottery.view.credit.CreditEntryProjection.CreditEntryColumns;

/** The row of a booking; {@link CreditEntryProjection} writes it. */
record CreditEntryRow(CreditEntryKey key, CreditEntryColumns columns) {

    PageCursor cursor() {
        return new PageCursor(key.entry());
    }

    CreditEntry toEntry() {
        return new CreditEntry(
                key.entry(),
                columns.amount(),
                columns.balance(),
                columns.businessNo(),
                columns.reason(),
                columns.bookedAt());
    }

    /** Returns the balance after this booking. */
    CreditBalance toBalance() {
        return new CreditBalance(new UserId(key.userId()), columns.balance(), key.entry());
    }
}
