package lottery.bench.invariant.award;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import lottery.bench.invariant.CheckMoment;
import lottery.bench.invariant.EventTableRow;
import lottery.bench.invariant.FindingTally;
import lottery.bench.invariant.Invariant;
import lottery.bench.invariant.InvariantVerdict;
import lottery.bench.invariant.ParsedEventPayload;

/**
 * I1: of a limited stock, never more units are taken than the stock had at its largest size so far, and its counter
 * says how many are taken. A counter is written in the statement of its events, so it has to be right at any moment.
 *
 * <p>Wins take units of awards. Such a unit is given back when the award is forfeited, voided or compensated. Recharges
 * take units of SKUs, which are given back when the recharge is closed. Chances take participations of an activity. A
 * participation is given back only if the chance is returned before a draw, because a user who has drawn has
 * participated.
 *
 * <p>The events say whether they take a unit. The fold counts what they say, and each of them has to say that it takes
 * one exactly if the stock is limited. A unit that is given back a second time, or that nobody has, changes nothing:
 * such events violate the rules of awards, recharges and chances.
 *
 * <p>A counter sums over all users, so this needs one reading of the events of all users. Therefore little stays in
 * memory: one entry for each unit that can be given back, and one for each recharge that waits without a unit. A unit
 * leaves memory when its award is granted, its recharge is completed, or its order is drawn. For an entry, this is the
 * freeze of its pool. A draw stays in memory only until its win, in the same commit.
 */
public final class StockInvariant implements Invariant {

    private static final String UNIT_TAKEN = "unitTaken";
    private static final String PARTICIPATION_TAKEN = "participationTaken";

    /** How many payments of a user for a SKU may wait at the same time. */
    private static final long WAITING_PAYMENTS_MAX = 1;

    /** The version of a strategy that has decided a draw. */
    private record DecidingVersion(long strategy, long version) {}

    /** The strategy by which a pool is drawn, and the time since which its entries keep their participations. */
    private record FrozenPool(long strategy, Instant at) {}

    private final FindingTally tally = new FindingTally();
    private final CounterFold counters;

    /** Awards with a limited stock, by strategy, version and award. */
    private final Set<String> limitedAwards = new HashSet<>();

    /** The largest stock of any version so far, by strategy and award. */
    private final Map<String, Long> stocks = new HashMap<>();

    /** Counters of SKUs and participations that the activity's definition limits at this point of the log. */
    private final Set<String> limited = new HashSet<>();

    /** Whether each of these counters is limited, by any definition. */
    private final Map<String, Set<Boolean>> everLimited = new HashMap<>();

    /** The versions that have decided draws whose win has not come yet, by order. */
    private final Map<String, DecidingVersion> drawn = new HashMap<>();

    /** The freezes of pools, by activity. */
    private final Map<Long, FrozenPool> pools = new HashMap<>();

    /** Recharges that wait for their payment and have not taken a unit. */
    private final Set<String> waitingWithoutUnit = new HashSet<>();

    private StockInvariant(Connection connection) throws SQLException {
        counters = CounterFold.read(connection, tally);
    }

    public static StockInvariant read(Connection connection) throws SQLException {
        return new StockInvariant(connection);
    }

    @Override
    public void accept(EventTableRow event) {
        ParsedEventPayload payload = event.payload();
        switch (event.name()) {
            case "strategy.defined", "strategy.revised" -> awardsDefined(payload);
            case "activity.created", "activity.edited" -> activityDefined(payload);
            case "raffle.drawn" -> drawn(payload);
            case "raffle.entered" -> entered(event);
            case "pool.frozen" -> frozen(event);
            case "award.won" -> won(event);
            case "award.granted" -> counters.keep(payload.text("awardRecordId"));
            case "award.forfeited", "award.voided", "award.compensated" ->
                counters.giveBack(payload.text("awardRecordId"));
            case "recharge.ordered" -> ordered(event);
            case "recharge.completed" -> completed(event);
            case "recharge.closed" -> closed(payload.text("rechargeId"));
            case "payment.ordered" -> waiting(event);
            case "payment.money-taken", "payment.closed" -> counters.giveBack(event.stream());
            case "account.chance-spent" ->
                take(participations(payload.number("activityId")), payload.text("orderId"), PARTICIPATION_TAKEN, event);
            case "account.chance-returned" -> returned(event);
            default -> {
                // No other event defines a stock, takes a unit or gives one back.
            }
        }
    }

    private static String participations(long activity) {
        return "participations:" + activity;
    }

    /** Returns what the names of the counters of all SKUs of an activity begin with. */
    private static String skus(long activity) {
        return "sku:" + activity + "/";
    }

    private void awardsDefined(ParsedEventPayload payload) {
        long strategy = payload.number("strategyId");
        long version = payload.number("version");
        for (ParsedEventPayload award : payload.in("definition").each("awards")) {
            if (award.has("stock")) {
                long id = award.number("awardId");
                limitedAwards.add(strategy + "/" + version + "/" + id);
                stocks.merge(strategy + "/" + id, award.number("stock"), Math::max);
            }
        }
    }

    private void activityDefined(ParsedEventPayload payload) {
        long activity = payload.number("activityId");
        ParsedEventPayload definition = payload.in("definition");
        limit(participations(activity), definition, "participationsMax");
        limited.removeIf(counter -> counter.startsWith(skus(activity)));
        definition.each("skus").forEach(sku -> limit(skus(activity) + sku.number("sku"), sku, "stock"));
    }

    private void limit(String counter, ParsedEventPayload definition, String field) {
        everLimited.computeIfAbsent(counter, unknown -> new HashSet<>()).add(definition.has(field));
        if (definition.has(field)) {
            limited.add(counter);
            counters.limit(counter, definition.number(field));
        } else {
            limited.remove(counter);
        }
    }

    /** Records which version has decided a draw. From now on, the order keeps its participation. */
    private void drawn(ParsedEventPayload payload) {
        String order = payload.text("orderId");
        counters.keep(order);
        if (payload.has("award")) {
            drawn.put(order, new DecidingVersion(payload.number("strategyId"), payload.number("strategyVersion")));
        }
    }

    /** Requires that an entry says of its participation what its chance has said. */
    private void entered(EventTableRow event) {
        String order = event.payload().text("orderId");
        requireSame(order, counters.has(order), PARTICIPATION_TAKEN, event);
    }

    /** Records how a pool is drawn. From now on, its entries keep their participations. */
    private void frozen(EventTableRow event) {
        long activity = event.payload().number("activityId");
        pools.put(activity, new FrozenPool(event.payload().number("strategyId"), event.at()));
        counters.keepAll(participations(activity));
    }

    /** Gives a participation back. An event of another log than that of the freeze is after it by its time. */
    private void returned(EventTableRow event) {
        FrozenPool pool = event.isAtHome() ? null : pools.get(event.payload().number("activityId"));
        if (pool != null && !event.at().isBefore(pool.at())) {
            counters.keep(event.payload().text("orderId"));
        } else {
            counters.giveBack(event.payload().text("orderId"));
        }
    }

    /**
     * Counts the unit of a win. An award that compensates another one has no limited stock, so it takes no unit. Each
     * win in a pool takes one. A win that nobody has drawn violates another invariant, and is only counted.
     */
    private void won(EventTableRow event) {
        ParsedEventPayload payload = event.payload();
        String record = payload.text("awardRecordId");
        long activity = payload.number("activityId");
        long award = payload.in("award").number("awardId");
        String counter = "award:" + activity + "/" + award;
        boolean isTaken = payload.flag(UNIT_TAKEN);
        DecidingVersion by = drawn.remove("order:" + EventTableRow.key(record));
        FrozenPool pool = pools.get(activity);
        if (payload.has("insteadOf")) {
            requireNone(event);
        } else if (by != null) {
            limitAward(counter, by.strategy(), award);
            requireUnit(
                    limitedAwards.contains(by.strategy() + "/" + by.version() + "/" + award),
                    counter,
                    record,
                    UNIT_TAKEN,
                    event);
        } else if (pool != null) {
            limitAward(counter, pool.strategy(), award);
            requireUnit(true, counter, record, UNIT_TAKEN, event);
        }
        if (isTaken) {
            counters.take(counter, record, event);
        }
        if (payload.has("grantReference")) {
            counters.keep(record);
        }
    }

    private void limitAward(String counter, long strategy, long award) {
        Long most = stocks.get(strategy + "/" + award);
        if (most != null) {
            counters.limit(counter, most);
        }
    }

    private void requireNone(EventTableRow won) {
        ParsedEventPayload payload = won.payload();
        tally.checked();
        if (payload.flag(UNIT_TAKEN)) {
            tally.violated("%s is won instead of %s at event %d and says %s true"
                    .formatted(payload.text("awardRecordId"), payload.text("insteadOf"), won.position(), UNIT_TAKEN));
        }
    }

    private void ordered(EventTableRow event) {
        String recharge = event.payload().text("rechargeId");
        take(skuOf(event), recharge, UNIT_TAKEN, event);
        if (!counters.has(recharge)) {
            waitingWithoutUnit.add(recharge);
        }
    }

    /** Counts a payment, as long as it waits, among those of its user. */
    private void waiting(EventTableRow event) {
        ParsedEventPayload payload = event.payload();
        String counter = "payments:%d/%d/%s"
                .formatted(payload.number("activityId"), payload.number("sku"), payload.text("userId"));
        counters.limit(counter, WAITING_PAYMENTS_MAX);
        counters.take(counter, event.stream(), event);
    }

    private static String skuOf(EventTableRow event) {
        return skus(event.payload().number("activityId")) + event.payload().number("sku");
    }

    /** Counts the unit of a recharge that was not ordered before. From now on, a recharge keeps its unit. */
    private void completed(EventTableRow event) {
        String recharge = event.payload().text("rechargeId");
        boolean hasUnit = counters.has(recharge);
        if (hasUnit || waitingWithoutUnit.remove(recharge)) {
            requireSame(recharge, hasUnit, UNIT_TAKEN, event);
        } else {
            take(skuOf(event), recharge, UNIT_TAKEN, event);
        }
        counters.keep(recharge);
    }

    private void closed(String recharge) {
        counters.giveBack(recharge);
        waitingWithoutUnit.remove(recharge);
    }

    private void take(String counter, String taker, String field, EventTableRow event) {
        requireUnit(isLimited(counter, field, event), counter, taker, field, event);
        if (event.payload().flag(field)) {
            counters.take(counter, taker, event);
        }
    }

    /**
     * Returns whether the stock was limited. In another log than that of the definitions, any of them may be in force.
     */
    private boolean isLimited(String counter, String field, EventTableRow event) {
        boolean isTaken = event.payload().flag(field);
        boolean mayBeInForce =
                !event.isAtHome() && everLimited.getOrDefault(counter, Set.of()).contains(isTaken);
        return mayBeInForce ? isTaken : limited.contains(counter);
    }

    /** Requires that the event says that a unit was taken exactly if the stock is limited. */
    private void requireUnit(boolean isLimited, String counter, String taker, String field, EventTableRow event) {
        tally.checked();
        if (event.payload().flag(field) != isLimited) {
            tally.violated("%s says %s %s at event %d, and %s is %s"
                    .formatted(
                            taker,
                            field,
                            !isLimited,
                            event.position(),
                            counter,
                            isLimited ? "limited" : "not limited"));
        }
    }

    /** Requires that the event says the same of the unit as an earlier event. */
    private void requireSame(String taker, boolean hasUnit, String field, EventTableRow event) {
        tally.checked();
        if (event.payload().flag(field) != hasUnit) {
            tally.violated("%s says %s %s at event %d and said %s before"
                    .formatted(taker, field, !hasUnit, event.position(), hasUnit));
        }
    }

    @Override
    public InvariantVerdict verdict(CheckMoment moment) {
        counters.verdict();
        return tally.verdict("I1", "no more is taken than there is");
    }
}
