package lottery.account;

import java.time.LocalDate;
import java.time.YearMonth;
import java.util.Map;
import lottery.api.Answer;
import lottery.api.Refusal;
import lottery.api.Refused;
import lottery.api.account.AccountEvent;
import lottery.api.account.AccountEvent.AccountOpened;
import lottery.api.account.AccountEvent.AccountRecharged;
import lottery.api.account.AccountEvent.ChanceReturned;
import lottery.api.account.AccountEvent.ChanceSpent;
import lottery.api.account.AccountEvent.LimitedAwardWon;
import lottery.api.account.AccountEvent.LimitedSkuTaken;
import lottery.api.account.AccountEvent.OpenOrderUsed;
import lottery.api.account.AccountId;
import lottery.api.activity.ActivityDefinition;
import lottery.api.activity.ChanceBundle;
import lottery.api.raffle.RaffleOrderId;
import lottery.api.raffle.RaffleRequestIdentity;
import lottery.raffle.PriorDraws;
import org.jspecify.annotations.Nullable;

/**
 * A user's chances in one activity. The chances that are left are computed, because a stored number could become wrong.
 *
 * @param spent the chances that were used
 * @param drawn the orders that were drawn; an open order has cost a chance and is no draw yet
 * @param open the order that waits to be drawn, at most one; null if there is none
 * @param cancelled the orders that were cancelled while they were open, by the day on which each was taken
 * @param isOpened whether the free chances of the activity have been granted
 */
record Chances(
        GrantedCounts granted,
        UsageCount spent,
        UsageCount drawn,
        @Nullable OpenOrder open,
        UsageCount cancelled,
        boolean isOpened) {

    /**
     * How many orders of one day can be cancelled before the user can take no other order that day. An order that is
     * taken and cancelled costs no chance, but its events stay in the account's stream. So their number needs a limit.
     */
    static final int CANCELLED_PER_DAY_MAX = 100;

    /** Chances granted in total, for each month and for each day. */
    record GrantedCounts(int total, int month, int day) {

        /**
         * Returns these counts plus a bundle. A sum stops at the largest integer, because nobody can draw more often
         * than that.
         */
        GrantedCounts plus(ChanceBundle bundle) {
            return new GrantedCounts(
                    capped((long) total + bundle.total()),
                    capped((long) month + bundle.month()),
                    capped((long) day + bundle.day()));
        }

        private static int capped(long count) {
            return (int) Math.min(count, Integer.MAX_VALUE);
        }
    }

    /**
     * @param day the day on which the chance of the order was spent
     * @param participationTaken whether the order has taken a participation, because the activity limits them
     */
    record OpenOrder(RaffleOrderId orderId, LocalDate day, boolean participationTaken) {}

    static final Chances NONE =
            new Chances(new GrantedCounts(0, 0, 0), UsageCount.NONE, UsageCount.NONE, null, UsageCount.NONE, false);

    /**
     * Returns the current day of this account. It is never before a day that is already booked. With an earlier day
     * from a slow clock, the count of a day would start again, and the chances of that day could be spent twice.
     */
    LocalDate today(LocalDate byTheClock) {
        LocalDate latest = spent.day().isAfter(drawn.day()) ? spent.day() : drawn.day();
        return latest.isAfter(byTheClock) ? latest : byTheClock;
    }

    /** Returns the counts of the user's earlier draws, for a draw that is made now. */
    PriorDraws drawsBefore(LocalDate byTheClock, Map<Integer, Integer> limitedWins) {
        return new PriorDraws(drawn.total(), drawn.on(today(byTheClock)), limitedWins);
    }

    /**
     * Returns the free chances that are not granted yet. They are granted once, with the first chance that is spent.
     */
    @Nullable
    ChanceBundle freeYet(ActivityDefinition activity) {
        return isOpened ? null : activity.free();
    }

    /** Returns these chances plus the free ones, if there are any. */
    Chances with(@Nullable ChanceBundle free) {
        return free == null ? this : new Chances(granted.plus(free), spent, drawn, open, cancelled, true);
    }

    /** Checks that one more chance can be spent. */
    Answer<Chances> requireChance(AccountId account, LocalDate today) {
        if (spent.total() >= granted.total()) {
            return refused(Refusal.QUOTA_TOTAL, account);
        }
        if (spent.in(YearMonth.from(today)) >= granted.month()) {
            return refused(Refusal.QUOTA_MONTH, account);
        }
        if (spent.on(today) >= granted.day()) {
            return refused(Refusal.QUOTA_DAY, account);
        }
        return Answer.done(this);
    }

    /**
     * Checks that one more order can be taken and kept open. A draw does not need this check, because a drawn order
     * cannot be cancelled. A cancellation does not need it either, so that the chance of an open order is never lost.
     */
    Answer<Chances> requireFewCancelled(AccountId account, LocalDate byTheClock) {
        return cancelled.on(today(byTheClock)) < CANCELLED_PER_DAY_MAX
                ? Answer.done(this)
                : refused(Refusal.CANCELLATION_LIMIT, account);
    }

    private static Answer<Chances> refused(Refusal why, AccountId account) {
        return Answer.no(new Refused(why, account.text()));
    }

    /**
     * Returns the request, or a refusal if its key is the key under which the open order was created. That key belongs
     * to the request that created the order.
     */
    Answer<RaffleRequestIdentity> requireUnused(RaffleRequestIdentity request) {
        return isOpen(request.id())
                ? Answer.no(new Refused(Refusal.KEY_REUSED, request.id().text()))
                : Answer.done(request);
    }

    boolean isOpen(RaffleOrderId orderId) {
        return open != null && open.orderId().equals(orderId);
    }

    Chances evolve(AccountEvent event) {
        return switch (event) {
            case AccountOpened opened -> with(opened.bundle());
            case AccountRecharged recharged ->
                new Chances(granted.plus(recharged.bundle()), spent, drawn, open, cancelled, isOpened);
            case ChanceSpent chance -> spent(chance);
            case OpenOrderUsed used -> new Chances(granted, spent, drawn.plus(used.day()), null, cancelled, isOpened);
            case LimitedAwardWon _, LimitedSkuTaken _ -> this;
            case ChanceReturned returned ->
                new Chances(
                        granted,
                        spent.minus(returned.day()),
                        drawn,
                        isOpen(returned.orderId()) ? null : open,
                        isOpen(returned.orderId()) ? cancelled.plus(returned.day()) : cancelled,
                        isOpened);
        };
    }

    private Chances spent(ChanceSpent chance) {
        UsageCount more = spent.plus(chance.day());
        return chance.open()
                ? new Chances(
                        granted,
                        more,
                        drawn,
                        new OpenOrder(chance.orderId(), chance.day(), chance.participationTaken()),
                        cancelled,
                        isOpened)
                : new Chances(granted, more, drawn.plus(chance.day()), open, cancelled, isOpened);
    }
}
