package lottery.view.account;

import jakarta.persistence.Embedded;
import jakarta.persistence.EmbeddedId;
import jakarta.persistence.Entity;
import jakarta.persistence.Table;

/** An account as it is read; {@link AccountProjection} writes it. */
@Entity
@Table(name = "view_account")
class AccountRow {

    /** Before the first event, which has sequence number 0. */
    static final long UNBORN = -1;

    @EmbeddedId
    @SuppressWarnings("UnusedVariable") // Hibernate reads it.
    private AccountKey key;

    @Embedded
    private Chances chances;

    private long version;

    /** For Hibernate. */
    @SuppressWarnings("NullAway.Init") // Hibernate fills the fields itself.
    protected AccountRow() {}

    Chances chances() {
        return chances;
    }

    DrawsOfDay draws() {
        return new DrawsOfDay(chances.spentOn(), chances.dayUsed(), version);
    }
}
