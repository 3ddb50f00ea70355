package lottery.view.account;

import static java.util.Objects.requireNonNull;

import java.time.LocalDate;
import java.util.Objects;
import java.util.stream.Stream;
import lottery.api.account.AccountEvent;
import lottery.api.account.AccountEvent.AccountOpened;
import lottery.api.account.AccountEvent.LimitedAwardWon;
import lottery.api.account.ChancesLeft;
import lottery.api.activity.ChanceBundle;
import org.jspecify.annotations.Nullable;

/**
 * The readable state of one account.
 *
 * @param opened whether the free chances of the activity have been granted
 * @param limitedWins the wins of awards that have a limit per user, see {@link AwardWinCountCodec}
 * @param version the sequence number of the newest event of the account that this state includes
 */
record AccountState(ChanceCounts chances, AccountOrderState orders, boolean opened, String limitedWins, long version) {

    /** The state before the first event, which has sequence number 0. */
    static final AccountState UNBORN =
            new AccountState(ChanceCounts.NONE, AccountOrderState.NONE, false, AwardWinCountCodec.NONE, -1);

    AccountState {
        requireNonNull(chances);
        requireNonNull(orders);
        requireNonNull(limitedWins);
    }

    AccountState evolve(AccountEvent event, long sequence) {
        return new AccountState(
                chances.evolve(event),
                orders.evolve(event),
                opened || event instanceof AccountOpened,
                event instanceof LimitedAwardWon won
                        ? AwardWinCountCodec.plus(limitedWins, won.awardId())
                        : limitedWins,
                sequence);
    }

    /**
     * Returns the chances that are left on a day. If another clock was fast, the account may already be on a later day.
     * Then the chances of that later day are returned.
     *
     * @param free the free chances of the activity; an account that is not opened yet has them, too
     */
    ChancesLeft chancesOn(LocalDate byTheClock, @Nullable ChanceBundle free) {
        LocalDate today = Stream.of(chances.spentOn(), orders.drawnOn())
                .filter(Objects::nonNull)
                .filter(byTheClock::isBefore)
                .max(LocalDate::compareTo)
                .orElse(byTheClock);
        ChanceCounts all = opened || free == null ? chances : chances.plus(free);
        return all.on(today, orders.open());
    }

    UserDrawTally draws() {
        return new UserDrawTally(orders.drawnOn(), orders.dayDraws(), AwardWinCountCodec.of(limitedWins));
    }
}
