package lottery.account;

import java.time.LocalDate;
import java.time.YearMonth;
import lottery.api.Answer;
import lottery.api.Refusal;
import lottery.api.Refused;
import lottery.api.account.AccountEvent;
import lottery.api.account.AccountEvent.AccountRecharged;
import lottery.api.account.AccountEvent.ChanceSpent;
import lottery.api.account.AccountId;
import lottery.api.activity.Bundle;
import lottery.api.raffle.RaffleOrderId;

/**
 * What a user may still draw in one activity: how many chances were granted, and how many of them were used in total,
 * in the last month and on the last day that one was used. What is left is derived; a copy of it would drift.
 */
record Chances(Counts granted, int used, YearMonth month, int usedInMonth, LocalDate day, int usedOnDay) {

    /** Chances granted in total, for each month and for each day. */
    record Counts(int total, int month, int day) {

        /** Adding up stops at the largest number: nobody can draw more often than that. */
        Counts plus(Bundle bundle) {
            return new Counts(
                    capped((long) total + bundle.total()),
                    capped((long) month + bundle.month()),
                    capped((long) day + bundle.day()));
        }

        private static int capped(long count) {
            return (int) Math.min(count, Integer.MAX_VALUE);
        }
    }

    static final Chances NONE =
            new Chances(new Counts(0, 0, 0), 0, YearMonth.from(LocalDate.EPOCH), 0, LocalDate.EPOCH, 0);

    Answer<ChanceSpent> spend(AccountId account, RaffleOrderId order, LocalDate today) {
        if (used >= granted.total()) {
            return refused(Refusal.QUOTA_TOTAL, account);
        }
        if (usedIn(YearMonth.from(today)) >= granted.month()) {
            return refused(Refusal.QUOTA_MONTH, account);
        }
        if (usedOn(today) >= granted.day()) {
            return refused(Refusal.QUOTA_DAY, account);
        }
        return Answer.done(new ChanceSpent(account.activityId(), account.userId(), order, today));
    }

    private static Answer<ChanceSpent> refused(Refusal why, AccountId account) {
        return Answer.no(new Refused(why, account.text()));
    }

    int usedOn(LocalDate today) {
        return day.equals(today) ? usedOnDay : 0;
    }

    int usedIn(YearMonth thisMonth) {
        return month.equals(thisMonth) ? usedInMonth : 0;
    }

    Chances evolve(AccountEvent event) {
        return switch (event) {
            case AccountRecharged recharged ->
                new Chances(granted.plus(recharged.bundle()), used, month, usedInMonth, day, usedOnDay);
            case ChanceSpent spent -> spentOn(spent.day());
        };
    }

    private Chances spentOn(LocalDate today) {
        YearMonth thisMonth = YearMonth.from(today);
        return new Chances(granted, used + 1, thisMonth, usedIn(thisMonth) + 1, today, usedOn(today) + 1);
    }
}
