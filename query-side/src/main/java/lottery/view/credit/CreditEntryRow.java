package lottery.view.credit;

import jakarta.persistence.EmbeddedId;
import jakarta.persistence.Entity;
import jakarta.persistence.Table;
import java.math.BigDecimal;
import java.time.Instant;
import lottery.api.UserId;
import lottery.api.credit.CreditBalance;
import lottery.api.credit.CreditEntry;
import lottery.view.PageCursor;
import org.jspecify.annotations.Nullable;

/** The row of a booking; {@link CreditEntryProjection} writes it. */
@Entity
@Table(name = "view_credit_entry")
class CreditEntryRow {

    @EmbeddedId
    private CreditEntryKey key;

    private BigDecimal amount;
    private BigDecimal balance;
    private String businessNo;
    private @Nullable String reason;
    private Instant bookedAt;

    /** Hibernate needs this constructor. */
    @SuppressWarnings("NullAway.Init") // Hibernate fills the fields itself.
    protected CreditEntryRow() {}

    PageCursor cursor() {
        return new PageCursor(key.entry());
    }

    CreditEntry toEntry() {
        return new CreditEntry(key.entry(), amount, balance, businessNo, reason, bookedAt);
    }

    /** Returns the balance after this booking. */
    CreditBalance toBalance() {
        return new CreditBalance(new UserId(key.userId()), balance, key.entry());
    }
}
