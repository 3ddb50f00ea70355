package lottery.view.account;

import jakarta.persistence.Embedded;
import jakarta.persistence.EmbeddedId;
import jakarta.persistence.Entity;
import jakarta.persistence.Table;
import java.time.LocalDate;
import lottery.api.account.ChancesLeft;

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

    @Embedded
    private Orders orders;

    private long version;

    /** For Hibernate. */
    @SuppressWarnings("NullAway.Init") // Hibernate fills the fields itself.
    protected AccountRow() {}

    ChancesLeft chancesOn(LocalDate today) {
        return chances.on(today, orders.open());
    }

    DrawsOfDay draws() {
        return new DrawsOfDay(orders.drawnOn(), orders.dayDraws(), version);
    }
}
