package lottery.view.account;

import jakarta.persistence.Embedded;
import jakarta.persistence.EmbeddedId;
import jakarta.persistence.Entity;
import jakarta.persistence.Table;
import lottery.api.account.AccountEvent;

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

    AccountRow(AccountKey key) {
        this.key = key;
        this.chances = Chances.NONE;
        this.version = UNBORN;
    }

    /** Only forward: an event that was seen already changes nothing. */
    void on(AccountEvent event, long sequence) {
        if (sequence > version) {
            chances = chances.evolve(event);
            version = sequence;
        }
    }

    Chances chances() {
        return chances;
    }

    DrawsOfDay draws() {
        return new DrawsOfDay(chances.spentOn(), chances.dayUsed(), version);
    }
}
