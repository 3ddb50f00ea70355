package lottery.bench.invariant.readmodel;

import java.time.LocalDate;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import lottery.bench.invariant.AccountTally;
import lottery.bench.invariant.CheckedUserShare;
import lottery.bench.invariant.EventTableRow;
import org.jspecify.annotations.Nullable;

/**
 * Folds the chances, the open order and the draws of each account. The used chances in a row are those of the day on
 * which a chance was last spent, and of the month of that day. The draws in a row are those of the day on which an
 * order was last drawn.
 */
public final class AccountReadModelFold implements ReadModelFold {

    private final CheckedUserShare share;
    private final Map<String, AccountTally> accounts = new HashMap<>();

    public AccountReadModelFold(CheckedUserShare share) {
        this.share = share;
    }

    @Override
    public String table() {
        return "view_account";
    }

    @Override
    public String sql() {
        return """
                SELECT activity_id || '/' || user_id, version,
                       total_count, total_used, month_count, month_used, day_count, day_used, spent_on,
                       open_order_id, drawn_on, day_draws, opened::text, limited_wins
                FROM view_account""";
    }

    /**
     * Returns whether the user is in the share. In the key, the activity is a number, so the user follows the first
     * slash.
     */
    @Override
    public boolean has(String key) {
        return share.has(key.substring(key.indexOf('/') + 1));
    }

    @Override
    public List<FoldedRow> after(EventTableRow event) {
        AccountTally account = AccountTally.after(event, accounts);
        if (account == null) {
            return List.of();
        }
        LocalDate spentOn = account.spentOn();
        long usedInMonth = spentOn == null ? 0 : account.usedInMonthOf(spentOn);
        long usedOnDay = spentOn == null ? 0 : account.usedOn(spentOn);
        LocalDate drawnOn = account.drawnOn();
        long drawnOnDay = drawnOn == null ? 0 : account.drawnOn(drawnOn);
        Map<String, String> columns = Map.ofEntries(
                Map.entry("total_count", count(account.granted().total())),
                Map.entry("total_used", Long.toString(account.used())),
                Map.entry("month_count", count(account.granted().month())),
                Map.entry("month_used", Long.toString(usedInMonth)),
                Map.entry("day_count", count(account.granted().day())),
                Map.entry("day_used", Long.toString(usedOnDay)),
                Map.entry("spent_on", text(spentOn)),
                Map.entry("open_order_id", text(account.openOrder())),
                Map.entry("drawn_on", text(drawnOn)),
                Map.entry("day_draws", Long.toString(drawnOnDay)),
                Map.entry(
                        "limited_wins",
                        account.limitedWins().entrySet().stream()
                                .map(award -> award.getKey() + ":" + award.getValue())
                                .collect(Collectors.joining(" "))),
                Map.entry("opened", Boolean.toString(account.openings() > 0)));
        return List.of(new FoldedRow(AccountTally.key(event.payload()), event.sequence(), columns));
    }

    private static String text(@Nullable Object value) {
        return value == null ? NOTHING : value.toString();
    }

    /** Returns a count, limited to the largest integer. */
    private static String count(long granted) {
        return Long.toString(Math.min(granted, Integer.MAX_VALUE));
    }
}
