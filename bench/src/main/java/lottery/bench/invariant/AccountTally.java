package lottery.bench.invariant;

import java.time.LocalDate;
import java.time.YearMonth;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The chances of one account, added up independently of the lottery. Spent chances and draws are counted for each day,
 * and a month is the sum of its days. The count of each day is kept for ever. The only event that reduces the spent
 * chances of a day is the return of a chance of that day. So if a clock goes back over midnight, the counts of the
 * earlier day are still there, and stay right.
 */
public final class AccountTally {

    public record GrantedChances(long total, long month, long day) {}

    private final TreeMap<LocalDate, Integer> usedByDay = new TreeMap<>();
    private final TreeMap<LocalDate, Integer> drawnByDay = new TreeMap<>();
    private GrantedChances granted = new GrantedChances(0, 0, 0);
    private final TreeMap<Long, Integer> limitedWins = new TreeMap<>();
    private int openings;
    private long used;
    private @Nullable LocalDate spentOn;
    private @Nullable LocalDate drawnOn;
    private @Nullable String openOrder;

    /** Returns the account that the event has changed; null if the event does not concern accounts. */
    public static @Nullable AccountTally after(EventTableRow event, Map<String, AccountTally> accounts) {
        ParsedEventPayload payload = event.payload();
        return switch (event.name()) {
            case "account.opened" -> find(payload, accounts).opened(payload.in("bundle"));
            case "account.recharged" -> find(payload, accounts).recharged(payload.in("bundle"));
            case "account.chance-spent" -> find(payload, accounts).spent(payload);
            case "account.order-used" -> find(payload, accounts).used(payload);
            case "account.limited-sku-taken" -> find(payload, accounts);
            case "account.limited-award-won" -> find(payload, accounts).wonLimited(payload.number("awardId"));
            case "account.chance-returned" -> find(payload, accounts).returned(payload);
            default -> null;
        };
    }

    private AccountTally opened(ParsedEventPayload bundle) {
        openings++;
        return recharged(bundle);
    }

    private AccountTally recharged(ParsedEventPayload bundle) {
        granted = new GrantedChances(
                granted.total() + bundle.number("total"),
                granted.month() + bundle.number("month"),
                granted.day() + bundle.number("day"));
        return this;
    }

    private AccountTally spent(ParsedEventPayload payload) {
        LocalDate day = payload.day("day");
        boolean open = payload.flag("open");
        usedByDay.merge(day, 1, Integer::sum);
        used++;
        spentOn = day;
        if (open) {
            openOrder = payload.text("orderId");
            return this;
        }
        return drawn(day);
    }

    private AccountTally used(ParsedEventPayload payload) {
        close(payload.text("orderId"));
        return drawn(payload.day("day"));
    }

    private AccountTally drawn(LocalDate day) {
        drawnByDay.merge(day, 1, Integer::sum);
        drawnOn = day;
        return this;
    }

    private AccountTally wonLimited(long award) {
        limitedWins.merge(award, 1, Integer::sum);
        return this;
    }

    private AccountTally returned(ParsedEventPayload payload) {
        close(payload.text("orderId"));
        usedByDay.merge(payload.day("day"), -1, Integer::sum);
        used--;
        return this;
    }

    private void close(String order) {
        if (order.equals(openOrder)) {
            openOrder = null;
        }
    }

    private static AccountTally find(ParsedEventPayload payload, Map<String, AccountTally> accounts) {
        return accounts.computeIfAbsent(key(payload), unknown -> new AccountTally());
    }

    /**
     * Returns the key of an account. It has the activity, a slash and the user. The id of an activity is a number, so
     * the first slash always ends it, even if the id of the user has slashes.
     */
    public static String key(ParsedEventPayload payload) {
        return payload.number("activityId") + "/" + payload.text("userId");
    }

    /** Returns how often the account was given free chances. */
    public int openings() {
        return openings;
    }

    /** Returns how often the user has won each award with a limit per user, ordered by award. */
    public SortedMap<Long, Integer> limitedWins() {
        return limitedWins;
    }

    public GrantedChances granted() {
        return granted;
    }

    public long used() {
        return used;
    }

    public long usedOn(LocalDate day) {
        return usedByDay.getOrDefault(day, 0);
    }

    public long usedInMonthOf(LocalDate day) {
        YearMonth month = YearMonth.from(day);
        return usedByDay.subMap(month.atDay(1), true, month.atEndOfMonth(), true).values().stream()
                .mapToLong(Integer::longValue)
                .sum();
    }

    @Nullable
    public LocalDate spentOn() {
        return spentOn;
    }

    public long drawnOn(LocalDate day) {
        return drawnByDay.getOrDefault(day, 0);
    }

    @Nullable
    public LocalDate drawnOn() {
        return drawnOn;
    }

    @Nullable
    public String openOrder() {
        return openOrder;
    }
}
