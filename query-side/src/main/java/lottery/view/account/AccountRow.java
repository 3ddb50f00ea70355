package lottery.view.account;

import jakarta.persistence.Embedded;
import jakarta.persistence.EmbeddedId;
import jakarta.persistence.Entity;
import jakarta.persistence.Table;

/** The row of an account; {@link AccountProjection} writes it. */
@Entity
@Table(name = "view_account")
class AccountRow {

    @EmbeddedId
    @SuppressWarnings("UnusedVariable") // Hibernate reads it.
    private AccountKey key;

    @Embedded
    private ChanceCounts chances;

    @Embedded
    private AccountOrderState orders;

    private boolean opened;
    private String limitedWins;
    private long version;

    /** Hibernate needs this constructor. */
    @SuppressWarnings("NullAway.Init") // Hibernate fills the fields itself.
    protected AccountRow() {}

    AccountState state() {
        return new AccountState(chances, orders, opened, limitedWins, version);
    }
}
