package lottery.view.figures;

import java.math.BigDecimal;
import lottery.api.account.AccountEvent;
import lottery.api.account.AccountEvent.AccountOpened;
import lottery.api.account.AccountEvent.AccountRecharged;
import lottery.api.account.AccountEvent.ChanceReturned;
import lottery.api.account.AccountEvent.ChanceSpent;
import lottery.api.account.AccountEvent.LimitedAwardWon;
import lottery.api.account.AccountEvent.LimitedSkuTaken;
import lottery.api.account.AccountEvent.OpenOrderUsed;
import lottery.api.raffle.RaffleEvent.EntryMade;
import lottery.api.raffle.RaffleEvent.RaffleDrawn;

/**
 * Counts of draws, entries and chances, which can be summed up. The event of a draw or entry states how many draws or
 * entries its user had made before, on that day and in all. So the first draw or entry of a user can be recognized, and
 * it counts the user. No list of counted users is needed.
 *
 * @param draws the draws that were made at once, and the wins of a pool
 * @param players the draws and entries that were the first of their user on their day
 * @param newPlayers the draws and entries that were the first of their user in the whole activity
 */
record FigureCounts(
        long draws,
        long entries,
        long players,
        long newPlayers,
        BigDecimal cost,
        long free,
        long recharged,
        long spent,
        long returned) {

    static final FigureCounts NONE = new FigureCounts(0, 0, 0, 0, BigDecimal.ZERO, 0, 0, 0, 0);

    static FigureCounts of(RaffleDrawn drawn, BigDecimal cost) {
        return new FigureCounts(
                1, 0, drawn.drawsBeforeToday() == 0 ? 1 : 0, drawn.drawsBefore() == 0 ? 1 : 0, cost, 0, 0, 0, 0);
    }

    static FigureCounts of(EntryMade entry) {
        return new FigureCounts(
                0,
                1,
                entry.entriesBeforeToday() == 0 ? 1 : 0,
                entry.entriesBefore() == 0 ? 1 : 0,
                BigDecimal.ZERO,
                0,
                0,
                0,
                0);
    }

    /** Returns the counts of a win of a pool. They contain no player, because the user was counted with the entry. */
    static FigureCounts ofPoolWin(BigDecimal cost) {
        return new FigureCounts(1, 0, 0, 0, cost, 0, 0, 0, 0);
    }

    static FigureCounts of(AccountEvent event) {
        return switch (event) {
            case AccountOpened opened -> chances(opened.bundle().total(), 0, 0, 0);
            case AccountRecharged recharged -> chances(0, recharged.bundle().total(), 0, 0);
            case ChanceSpent _ -> chances(0, 0, 1, 0);
            case ChanceReturned _ -> chances(0, 0, 0, 1);
            case OpenOrderUsed _, LimitedAwardWon _, LimitedSkuTaken _ -> NONE;
        };
    }

    private static FigureCounts chances(long free, long recharged, long spent, long returned) {
        return new FigureCounts(0, 0, 0, 0, BigDecimal.ZERO, free, recharged, spent, returned);
    }

    FigureCounts plus(FigureCounts more) {
        return new FigureCounts(
                draws + more.draws,
                entries + more.entries,
                players + more.players,
                newPlayers + more.newPlayers,
                cost.add(more.cost),
                free + more.free,
                recharged + more.recharged,
                spent + more.spent,
                returned + more.returned);
    }
}
