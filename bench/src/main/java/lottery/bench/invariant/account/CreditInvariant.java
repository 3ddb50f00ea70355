package lottery.bench.invariant.account;

import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import lottery.bench.invariant.CheckMoment;
import lottery.bench.invariant.CheckedUserShare;
import lottery.bench.invariant.EventTableRow;
import lottery.bench.invariant.FindingTally;
import lottery.bench.invariant.Invariant;
import lottery.bench.invariant.InvariantVerdict;
import lottery.bench.invariant.ParsedEventPayload;
import lottery.bench.invariant.SameCommitFinder;
import lottery.bench.invariant.SameCommitFinder.EventPlace;
import org.jspecify.annotations.Nullable;

/**
 * Checks that bookings of credits are numbered in order, and that no balance is below zero. Each business number is
 * booked once, and is claimed in the commit of the booking.
 *
 * <p>A booking for an award has the won amount. If a grant refers to a booking, that booking exists. A booking for a
 * recharge has the price of the SKU, and is in the same commit as the recharge. Each recharge of a SKU with a price has
 * a booking.
 */
public final class CreditInvariant implements Invariant {

    private static final String ACCOUNT = "credit:";
    private static final String AWARD = "award:";
    private static final String RECHARGE = "recharge:";
    private static final String CREDIT = "CREDIT";

    private static final Set<BigDecimal> FREE = Set.of(BigDecimal.ZERO);

    private record BusinessNumber(String user, String businessNo) {}

    private record StoredBooking(String stream, long entry, BigDecimal amount, EventPlace place) {

        long position() {
            return place.position();
        }
    }

    /**
     * A recharge that costs credits.
     *
     * @param prices the price; in another log than that of the definitions, the price by any of them
     */
    private record Purchase(String user, Set<BigDecimal> prices, EventPlace place) {

        String price() {
            return prices.stream().map(BigDecimal::toPlainString).sorted().collect(Collectors.joining(" or "));
        }
    }

    /**
     * An award of credits that was won.
     *
     * @param credits the number of credits, if the win contains it
     */
    private record CreditWin(String user, @Nullable BigDecimal credits) {}

    /**
     * A grant of an award of credits.
     *
     * @param withWin the place of the win that is also the grant; null if the award was granted later
     */
    private record CreditGrant(
            String reference, long position, @Nullable EventPlace withWin) {}

    /** The balance of a user after a number of bookings. */
    private record CreditBalanceTally(BigDecimal balance, long entries) {

        private static final CreditBalanceTally EMPTY = new CreditBalanceTally(BigDecimal.ZERO, 0);
    }

    private final FindingTally tally = new FindingTally();
    private final Map<String, CreditBalanceTally> accounts = new HashMap<>();
    private final Map<BusinessNumber, StoredBooking> bookings = new LinkedHashMap<>();

    /** The claimed business numbers by account, each with the booking that holds the claim. */
    private final Map<String, Map<String, String>> claims = new LinkedHashMap<>();

    private final Map<String, CreditWin> wins = new HashMap<>();
    private final Map<String, CreditGrant> grants = new LinkedHashMap<>();

    private final SameCommitFinder stretches = new SameCommitFinder();

    /** Prices by activity and SKU, from the activity's definition at this point of the log. */
    private final Map<String, BigDecimal> prices = new HashMap<>();

    /** Prices by activity and SKU, from all definitions. A SKU that costs no credits has the price 0. */
    private final Map<String, Set<BigDecimal>> everPrices = new HashMap<>();

    /**
     * Recharges that wait for a payment in another system. They cost no credits, even if their SKU gets a price in
     * credits before they are completed.
     */
    private final Set<String> waiting = new HashSet<>();

    private final Map<String, Purchase> purchases = new LinkedHashMap<>();

    private CreditInvariant() {}

    public static CreditInvariant read(Connection connection, CheckedUserShare share) throws SQLException {
        CreditInvariant credits = new CreditInvariant();
        try (Statement statement = connection.createStatement()) {
            statement.setFetchSize(EventTableRow.FETCH_ROWS);
            try (ResultSet rows =
                    statement.executeQuery("SELECT scope, key, holder FROM claim WHERE scope LIKE 'credit:%' AND "
                            + share.sql("scope") + " ORDER BY 1, 2")) {
                while (rows.next()) {
                    credits.claims
                            .computeIfAbsent(rows.getString(1), unknown -> new LinkedHashMap<>())
                            .put(rows.getString(2), rows.getString(3));
                }
            }
        }
        return credits;
    }

    @Override
    public void accept(EventTableRow event) {
        EventPlace place = stretches.of(event);
        switch (event.name()) {
            case "activity.created", "activity.edited" -> priced(event.payload());
            case "recharge.ordered" -> ordered(event, place);
            case "recharge.closed" -> waiting.remove(event.payload().text("rechargeId"));
            case "recharge.completed" -> recharged(event, place);
            case "credit.booked" -> booked(event, place);
            case "award.won" -> won(event.payload(), place);
            case "award.granted" -> granted(event);
            default -> {
                // Other events do not concern credits.
            }
        }
    }

    private void won(ParsedEventPayload payload, EventPlace place) {
        ParsedEventPayload award = payload.in("award");
        if (award.text("type").equals(CREDIT)) {
            wins.putIfAbsent(
                    payload.text("awardRecordId"),
                    new CreditWin(payload.text("userId"), credits(award, payload.in("config"))));
            if (payload.has("grantReference")) {
                grants.putIfAbsent(
                        payload.text("awardRecordId"),
                        new CreditGrant(payload.text("grantReference"), place.position(), place));
            }
        }
    }

    private static @Nullable BigDecimal credits(ParsedEventPayload award, ParsedEventPayload config) {
        if (award.has("amount")) {
            return award.decimal("amount");
        }
        return config.has("credits") && config.isDecimal("credits") ? config.decimal("credits") : null;
    }

    private void granted(EventTableRow event) {
        String award = event.payload().text("awardRecordId");
        if (wins.containsKey(award)) {
            grants.putIfAbsent(award, new CreditGrant(event.payload().text("reference"), event.position(), null));
        }
    }

    private void priced(ParsedEventPayload payload) {
        String activity = payload.number("activityId") + "/";
        prices.keySet().removeIf(sku -> sku.startsWith(activity));
        for (ParsedEventPayload sku : payload.in("definition").each("skus")) {
            String key = activity + sku.number("sku");
            if (sku.has("priceCredits")) {
                prices.put(key, sku.decimal("priceCredits"));
            }
            everPrices
                    .computeIfAbsent(key, unknown -> new HashSet<>())
                    .add(prices.getOrDefault(key, BigDecimal.ZERO).stripTrailingZeros());
        }
    }

    /**
     * Checks a recharge that waits for its payment. Its SKU must have no price in credits, because credits are paid at
     * once.
     */
    private void ordered(EventTableRow event, EventPlace place) {
        Purchase purchase = purchase(event, place);
        String recharge = event.payload().text("rechargeId");
        if (isPaid(purchase)) {
            tally.violated("%s costs %s and is ordered at event %d, to be paid for later"
                    .formatted(recharge, purchase.price(), place.position()));
        }
        waiting.add(recharge);
    }

    private Purchase purchase(EventTableRow event, EventPlace place) {
        ParsedEventPayload payload = event.payload();
        String sku = payload.number("activityId") + "/" + payload.number("sku");
        BigDecimal price = prices.getOrDefault(sku, BigDecimal.ZERO).stripTrailingZeros();
        return new Purchase(
                payload.text("userId"),
                event.isAtHome() ? Set.of(price) : everPrices.getOrDefault(sku, Set.of(price)),
                place);
    }

    /** Returns whether the purchase certainly costs credits. */
    private static boolean isPaid(Purchase purchase) {
        return !purchase.prices().contains(BigDecimal.ZERO);
    }

    private void recharged(EventTableRow event, EventPlace place) {
        Purchase purchase = purchase(event, place);
        String recharge = event.payload().text("rechargeId");
        if (!waiting.remove(recharge) && !purchase.prices().equals(FREE)) {
            tally.checked();
            purchases.putIfAbsent(recharge, purchase);
        }
    }

    private void booked(EventTableRow event, EventPlace place) {
        tally.checked();
        ParsedEventPayload payload = event.payload();
        BusinessNumber number = new BusinessNumber(payload.text("userId"), payload.text("businessNo"));
        StoredBooking booking =
                new StoredBooking(event.stream(), payload.number("entry"), payload.decimal("amount"), place);
        inTurn(number.user(), booking, event.sequence());
        addUp(number.user(), booking, payload.decimal("balance"));
        StoredBooking before = bookings.putIfAbsent(number, booking);
        if (before != null) {
            tally.violated("%s of %s is booked at event %d and again at event %d"
                    .formatted(number.businessNo(), number.user(), before.position(), booking.position()));
        }
        if (number.businessNo().startsWith(AWARD)) {
            requireWin(number, booking);
        }
    }

    private void inTurn(String user, StoredBooking booking, long sequence) {
        long due = accounts.getOrDefault(user, CreditBalanceTally.EMPTY).entries() + 1;
        if (!booking.stream().startsWith(ACCOUNT) || !booking.stream().endsWith(":" + user)) {
            tally.violated("%s has a booking of %s at event %d".formatted(booking.stream(), user, booking.position()));
        }
        if (booking.entry() != due || sequence != due - 1) {
            tally.violated("%s has entry %d at event %d, where %d was due"
                    .formatted(booking.stream(), booking.entry(), booking.position(), due));
        }
    }

    private void addUp(String user, StoredBooking booking, BigDecimal said) {
        BigDecimal balance =
                accounts.getOrDefault(user, CreditBalanceTally.EMPTY).balance().add(booking.amount());
        if (balance.compareTo(said) != 0) {
            tally.violated("%s has %s credits at event %d, and its bookings add up to %s"
                    .formatted(booking.stream(), said, booking.position(), balance));
        }
        if (balance.signum() < 0) {
            tally.violated("%s falls to %s at event %d".formatted(booking.stream(), balance, booking.position()));
        }
        accounts.put(user, new CreditBalanceTally(balance, booking.entry()));
    }

    /** Requires that the award of a booking was won before the booking, by the same user and with the same amount. */
    private void requireWin(BusinessNumber number, StoredBooking booking) {
        CreditWin win = wins.get(number.businessNo());
        if (win == null) {
            tally.violated("%s books %s for %s at event %d, which nobody has won as credits"
                    .formatted(booking.stream(), booking.amount(), number.businessNo(), booking.position()));
        } else if (!win.user().equals(number.user())) {
            tally.violated("%s books %s for %s at event %d, which %s has won"
                    .formatted(
                            booking.stream(), booking.amount(), number.businessNo(), booking.position(), win.user()));
        } else if (win.credits() == null || win.credits().compareTo(booking.amount()) != 0) {
            tally.violated("%s books %s for %s at event %d, which is %s"
                    .formatted(
                            booking.stream(),
                            booking.amount(),
                            number.businessNo(),
                            booking.position(),
                            win.credits() == null
                                    ? "no number of credits"
                                    : win.credits().toString()));
        }
    }

    @Override
    public InvariantVerdict verdict(CheckMoment moment) {
        bookings.forEach(this::requireClaim);
        bookings.forEach(this::requirePurchase);
        purchases.forEach(this::requirePayment);
        claims.forEach((account, numbers) -> numbers.keySet()
                .forEach(number ->
                        tally.violated("%s has claimed %s and booked nothing for it".formatted(account, number))));
        long elsewhere = 0;
        for (Map.Entry<String, CreditGrant> each : grants.entrySet()) {
            if (each.getValue().reference().startsWith(ACCOUNT)) {
                requireBooking(each.getKey(), each.getValue());
            } else {
                elsewhere++;
            }
        }
        if (elsewhere > 0) {
            tally.noted("awards of credits were granted by somebody else", elsewhere);
        }
        return tally.verdict("credits", "credits are booked once, never below zero, as was won or as it cost");
    }

    /**
     * Requires the claim of a booking, and removes that claim from the map. A claim that remains in the map at the end
     * has no booking, which is a violation.
     */
    private void requireClaim(BusinessNumber number, StoredBooking booking) {
        String entry = claims.getOrDefault(booking.stream(), new HashMap<>()).remove(number.businessNo());
        if (!Long.toString(booking.entry()).equals(entry)) {
            tally.violated("%s is booked by %s at event %d as entry %d, and claimed %s"
                    .formatted(
                            number.businessNo(),
                            booking.stream(),
                            booking.position(),
                            booking.entry(),
                            entry == null ? "by nobody" : "for entry " + entry));
        }
    }

    /** Requires that a booking for a recharge has a purchase of the same user. */
    private void requirePurchase(BusinessNumber number, StoredBooking booking) {
        if (!number.businessNo().startsWith(RECHARGE)) {
            return;
        }
        Purchase purchase = purchases.get(number.businessNo());
        if (purchase != null && !purchase.user().equals(number.user())) {
            tally.violated("%s books %s for %s at event %d, which %s has had"
                    .formatted(
                            booking.stream(),
                            booking.amount(),
                            number.businessNo(),
                            booking.position(),
                            purchase.user()));
        } else if (purchase == null) {
            tally.violated("%s books %s for %s at event %d, which is no recharge that costs credits"
                    .formatted(booking.stream(), booking.amount(), number.businessNo(), booking.position()));
        }
    }

    private void requirePayment(String recharge, Purchase purchase) {
        StoredBooking paid = bookings.get(new BusinessNumber(purchase.user(), recharge));
        if (paid == null && isPaid(purchase)) {
            tally.violated("%s costs %s at event %d, and nothing is booked for it"
                    .formatted(recharge, purchase.price(), purchase.place().position()));
        } else if (paid != null
                && (!purchase.prices().contains(paid.amount().negate().stripTrailingZeros())
                        || !paid.place().isInSameCommitAs(purchase.place()))) {
            tally.violated("%s costs %s at event %d, and %s is booked for it at event %d"
                    .formatted(
                            recharge, purchase.price(), purchase.place().position(), paid.amount(), paid.position()));
        }
    }

    /**
     * Requires the booking that the reference of a grant names. A grant by another system has a reference of another
     * form, and needs no booking.
     */
    private void requireBooking(String award, CreditGrant grant) {
        tally.checked();
        CreditWin win = wins.get(award);
        StoredBooking booking = win == null ? null : bookings.get(new BusinessNumber(win.user(), award));
        if (booking == null) {
            tally.violated("%s is granted at event %d as %s, and nothing is booked for it"
                    .formatted(award, grant.position(), grant.reference()));
        } else if (!grant.reference().equals(booking.stream() + "#" + booking.entry())) {
            tally.violated("%s is granted at event %d as %s, and booked as %s#%d"
                    .formatted(award, grant.position(), grant.reference(), booking.stream(), booking.entry()));
        } else if (grant.withWin() != null && !booking.place().isInSameCommitAs(grant.withWin())) {
            tally.violated("%s is granted where it is won, at event %d, and booked in another commit, at event %d"
                    .formatted(award, grant.position(), booking.position()));
        }
    }
}
