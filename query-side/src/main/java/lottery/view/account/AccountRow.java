package lottery.view.account;

import jakarta.persistence.Embedded;
import jakarta.persistence.EmbeddedId;
import jakarta.persistence.Entity;
import jakarta.persistence.Table;
import java.time.LocalDate;
import java.util.Objects;
import java.util.stream.Stream;
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

    /** An account that has booked a later day, by a clock that was ahead of this one, is on that day already. */
    ChancesLeft chancesOn(LocalDate byTheClock) {
        LocalDate today = Stream.of(chances.spentOn(), orders.drawnOn())
                .filter(Objects::nonNull)
                .filter(byTheClock::isBefore)
                .max(LocalDate::compareTo)
                .orElse(byTheClock);
        return chances.on(today, orders.open());
    }

    DrawsOfDay draws() {
        return new DrawsOfDay(orders.drawnOn(), orders.dayDraws(), version);
    }
}
