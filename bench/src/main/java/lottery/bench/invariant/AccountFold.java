package lottery.bench.invariant;

import java.time.LocalDate;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Counts and uses of accounts. The uses of month and day are those of the day on which a chance was spent last. */
final class AccountFold implements Fold {

    private final Map<String, Account> accounts = new HashMap<>();

    @Override
    public String table() {
        return "view_account";
    }

    @Override
    public String sql() {
        return """
                SELECT activity_id || '/' || user_id, version,
                       total_count, total_used, month_count, month_used, day_count, day_used, spent_on
                FROM view_account""";
    }

    @Override
    public List<Row> after(Event event) {
        Account account = Account.after(event, accounts);
        if (account == null) {
            return List.of();
        }
        LocalDate spentOn = account.spentOn();
        long usedInMonth = spentOn == null ? 0 : account.usedInMonthOf(spentOn);
        long usedOnDay = spentOn == null ? 0 : account.usedOn(spentOn);
        Map<String, String> columns = Map.of(
                "total_count", count(account.granted().total()),
                "total_used", Long.toString(account.used()),
                "month_count", count(account.granted().month()),
                "month_used", Long.toString(usedInMonth),
                "day_count", count(account.granted().day()),
                "day_used", Long.toString(usedOnDay),
                "spent_on", spentOn == null ? NOTHING : spentOn.toString());
        return List.of(new Row(Account.key(event.payload()), event.sequence(), columns));
    }

    /** A count is held at the largest integer. */
    private static String count(long granted) {
        return Long.toString(Math.min(granted, Integer.MAX_VALUE));
    }
}
