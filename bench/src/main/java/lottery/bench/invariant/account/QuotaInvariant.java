package lottery.bench.invariant.account;

import java.time.LocalDate;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import lottery.bench.invariant.AccountTally;
import lottery.bench.invariant.CheckMoment;
import lottery.bench.invariant.EventTableRow;
import lottery.bench.invariant.FindingTally;
import lottery.bench.invariant.Invariant;
import lottery.bench.invariant.InvariantVerdict;
import lottery.bench.invariant.ParsedEventPayload;

/**
 * I5: whenever a chance is spent, used ≤ granted, in total, in the month and on the day. This is checked at each spent
 * chance, so a later recharge or return does not hide a violation. The days of an account must only go forward, because
 * the account keeps no counts of earlier days. Free chances must be given once, and match a definition of the activity.
 */
public final class QuotaInvariant implements Invariant {

    private static final Set<String> BOOKED = Set.of("account.chance-spent", "account.order-used");

    private static final Set<String> DEFINED = Set.of("activity.created", "activity.edited");

    private final FindingTally tally = new FindingTally();
    private final Map<String, AccountTally> accounts = new HashMap<>();
    private final Map<AccountTally, LocalDate> latest = new HashMap<>();

    /** The free chances by activity, from all its definitions so far. */
    private final Map<Long, Set<BundleCounts>> free = new HashMap<>();

    private record BundleCounts(long total, long month, long day) {

        static BundleCounts of(ParsedEventPayload bundle) {
            return new BundleCounts(bundle.number("total"), bundle.number("month"), bundle.number("day"));
        }

        @Override
        public String toString() {
            return total + "/" + month + "/" + day;
        }
    }

    @Override
    public void accept(EventTableRow event) {
        if (DEFINED.contains(event.name())) {
            ParsedEventPayload definition = event.payload().in("definition");
            if (definition.has("free")) {
                free.computeIfAbsent(event.payload().number("activityId"), unknown -> new HashSet<>())
                        .add(BundleCounts.of(definition.in("free")));
            }
            return;
        }
        AccountTally account = AccountTally.after(event, accounts);
        if (account == null) {
            return;
        }
        if (event.name().equals("account.opened")) {
            requireFree(account, event);
        }
        if (!BOOKED.contains(event.name())) {
            return;
        }
        LocalDate day = event.payload().day("day");
        if (event.name().equals("account.chance-spent")) {
            tally.checked();
            requireChance(account, day, event);
        }
        LocalDate before = latest.getOrDefault(account, day);
        if (day.isBefore(before)) {
            tally.violated(
                    "%s is back on %s at event %d, after %s".formatted(event.stream(), day, event.position(), before));
        } else {
            latest.put(account, day);
        }
    }

    private void requireFree(AccountTally account, EventTableRow event) {
        BundleCounts given = BundleCounts.of(event.payload().in("bundle"));
        if (!free.getOrDefault(event.payload().number("activityId"), Set.of()).contains(given)) {
            tally.violated("%s has free chances at event %d that its activity does not give: %s"
                    .formatted(event.stream(), event.position(), given));
        }
        if (account.openings() > 1) {
            tally.violated("%s has free chances again at event %d".formatted(event.stream(), event.position()));
        }
    }

    private void requireChance(AccountTally account, LocalDate day, EventTableRow event) {
        require("in total", account.used(), account.granted().total(), event);
        require(
                "in the month of " + day,
                account.usedInMonthOf(day),
                account.granted().month(),
                event);
        require("on " + day, account.usedOn(day), account.granted().day(), event);
    }

    private void require(String when, long used, long granted, EventTableRow event) {
        if (used > granted) {
            tally.violated("%s has used %d of %d chances %s at event %d"
                    .formatted(event.stream(), used, granted, when, event.position()));
        }
    }

    @Override
    public InvariantVerdict verdict(CheckMoment moment) {
        return tally.verdict("I5", "chances used ≤ granted, in total, by month, by day");
    }
}
