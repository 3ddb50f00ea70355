package lottery.bench.invariant;

import java.time.LocalDate;
import java.util.HashMap;
import java.util.Map;

/**
 * I5: at every chance that is spent, used ≤ granted, in total, in its month and on its day. A later recharge excuses
 * nothing.
 */
final class Quotas implements Invariant {

    private final Tally tally = new Tally();
    private final Map<String, Account> accounts = new HashMap<>();

    @Override
    public void see(Event event) {
        Account account = Account.after(event, accounts);
        if (account == null || !event.name().equals("account.chance-spent")) {
            return;
        }
        tally.checked();
        LocalDate day = event.payload().day("day");
        require("in total", account.used(), account.granted().total(), event);
        require(
                "in the month of " + day,
                account.usedInMonthOf(day),
                account.granted().month(),
                event);
        require("on " + day, account.usedOn(day), account.granted().day(), event);
    }

    private void require(String when, long used, long granted, Event event) {
        if (used > granted) {
            tally.violated("%s has used %d of %d chances %s at event %d"
                    .formatted(event.stream(), used, granted, when, event.position()));
        }
    }

    @Override
    public Verdict verdict(Moment moment) {
        return tally.verdict("I5", "chances used ≤ granted, in total, by month, by day");
    }
}
