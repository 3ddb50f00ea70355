package lottery.view.account;

import static java.util.Objects.requireNonNull;

import java.time.LocalDate;
import java.util.Objects;
import java.util.stream.Stream;
import lottery.api.account.AccountEvent;
import lottery.api.account.ChancesLeft;

/**
 * The readable state of one account.
 *
 * @param version the sequence number of the newest event that this includes
 */
record AccountState(ChanceCounts chances, OrderOutcomes orders, long version) {

    /** The state before the first event, which has sequence number 0. */
    static final AccountState UNBORN = new AccountState(ChanceCounts.NONE, OrderOutcomes.NONE, -1);

    AccountState {
        requireNonNull(chances);
        requireNonNull(orders);
    }

    AccountState evolve(AccountEvent event, long sequence) {
        return new AccountState(chances.evolve(event), orders.evolve(event), sequence);
    }

    /** Returns the chances on a day; the account may be on a later one already, by a faster clock. */
    ChancesLeft chancesOn(LocalDate byTheClock) {
        LocalDate today = Stream.of(chances.spentOn(), orders.drawnOn())
                .filter(Objects::nonNull)
                .filter(byTheClock::isBefore)
                .max(LocalDate::compareTo)
                .orElse(byTheClock);
        return chances.on(today, orders.open());
    }

    DrawsOfDay draws() {
        return new DrawsOfDay(orders.drawnOn(), orders.dayDraws());
    }
}
