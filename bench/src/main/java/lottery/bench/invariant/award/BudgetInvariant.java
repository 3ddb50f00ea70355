package lottery.bench.invariant.award;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import lottery.bench.invariant.CheckMoment;
import lottery.bench.invariant.EventTableRow;
import lottery.bench.invariant.FindingTally;
import lottery.bench.invariant.Invariant;
import lottery.bench.invariant.InvariantVerdict;
import lottery.bench.invariant.ParsedEventPayload;
import org.jspecify.annotations.Nullable;

/**
 * A budget is never exceeded, and its counter says how much of it is spent. Each drawn award of an activity with a
 * budget takes its cost. The cost is given back when the award is forfeited, voided or compensated. A substitute is
 * paid from the cost of the award that it replaces. If the budget pauses draws, each draw was made while enough was
 * left for the most expensive award.
 *
 * <p>No order is known between events of different logs. So each log is checked by what it has spent itself, and by all
 * definitions if it is not the home log. The end is checked for the sum of all logs.
 */
public final class BudgetInvariant implements Invariant {

    private static final int SCALE = 6;

    private static final String ROWS = "SELECT name, taken FROM counter WHERE name LIKE 'budget:%'";

    /** A version of a strategy that has decided a draw. */
    private record DecidingVersion(long strategy, long version) {}

    /** The share of a win in the budget of its activity, and of a day if there are budgets of days. */
    private record HeldShare(String budget, @Nullable String ofDay, BigDecimal amount) {}

    /** The spending of one log. */
    private record BudgetInLog(String counter, long log) {}

    private final FindingTally tally = new FindingTally();
    private final Map<String, Long> rows;
    private final Map<BudgetInLog, BigDecimal> spent = new HashMap<>();

    /** The largest budget so far, by counter. The largest budget of any day has the name of the activity's budgets. */
    private final Map<String, BigDecimal> most = new HashMap<>();

    /** The activities that have a budget at this point of the log. */
    private final Map<Long, Boolean> budgeted = new HashMap<>();

    /** The activities of which any definition does not pause draws, and those of which any has no budget. */
    private final Set<Long> everDrawing = new HashSet<>();

    private final Set<Long> everWithout = new HashSet<>();

    /** The cost of one unit of an award, by strategy, version and award. */
    private final Map<String, BigDecimal> costs = new HashMap<>();

    /** The most that a draw can cost, by version of a strategy. */
    private final Map<DecidingVersion, BigDecimal> dearest = new HashMap<>();

    /** The budgets that pause draws, by activity. */
    private final Map<Long, BigDecimal> pausing = new HashMap<>();

    private final Map<String, DecidingVersion> drawn = new HashMap<>();
    private final Map<String, HeldShare> held = new HashMap<>();

    private BudgetInvariant(Map<String, Long> rows) {
        this.rows = rows;
    }

    public static BudgetInvariant read(Connection connection) throws SQLException {
        Map<String, Long> rows = new HashMap<>();
        try (Statement statement = connection.createStatement();
                ResultSet found = statement.executeQuery(ROWS)) {
            while (found.next()) {
                rows.put(found.getString(1), found.getLong(2));
            }
        }
        return new BudgetInvariant(rows);
    }

    @Override
    public void accept(EventTableRow event) {
        ParsedEventPayload payload = event.payload();
        switch (event.name()) {
            case "strategy.defined", "strategy.revised" -> awardsDefined(payload);
            case "activity.created", "activity.edited" -> activityDefined(payload);
            case "raffle.drawn" -> drawn(event);
            case "award.won" -> won(event);
            case "award.granted" -> held.remove(payload.text("awardRecordId"));
            case "award.forfeited", "award.voided", "award.compensated" -> giveBack(event);
            default -> {
                // No other event defines a budget, spends from it or gives back to it.
            }
        }
    }

    private void awardsDefined(ParsedEventPayload payload) {
        DecidingVersion version = new DecidingVersion(payload.number("strategyId"), payload.number("version"));
        for (ParsedEventPayload award : payload.in("definition").each("awards")) {
            if (award.has("cost")) {
                BigDecimal cost = award.decimal("cost");
                dearest.merge(
                        version,
                        award.has("amount") ? cost.multiply(award.in("amount").decimal("max")) : cost,
                        BigDecimal::max);
                costs.put(
                        "%d/%d/%d"
                                .formatted(
                                        payload.number("strategyId"),
                                        payload.number("version"),
                                        award.number("awardId")),
                        award.decimal("cost"));
            }
        }
    }

    private void activityDefined(ParsedEventPayload payload) {
        long activity = payload.number("activityId");
        ParsedEventPayload definition = payload.in("definition");
        budgeted.put(activity, definition.has("budget"));
        if (!definition.has("budget")) {
            everWithout.add(activity);
        }
        pausing.remove(activity);
        if (definition.has("budget")) {
            ParsedEventPayload budget = definition.in("budget");
            most.merge("budget:" + activity, budget.decimal("amount"), BigDecimal::max);
            if (budget.text("onReached").equals("PAUSE")) {
                pausing.put(activity, budget.decimal("amount"));
            }
            if (budget.has("perDay")) {
                most.merge("budget:" + activity + "/", budget.decimal("perDay"), BigDecimal::max);
            }
        }
        if (!pausing.containsKey(activity)) {
            everDrawing.add(activity);
        }
    }

    private void drawn(EventTableRow event) {
        ParsedEventPayload payload = event.payload();
        requireRoom(event);
        long activity = payload.number("activityId");
        boolean hasBudget =
                budgeted.getOrDefault(activity, false) || (!event.isAtHome() && most.containsKey("budget:" + activity));
        if (payload.has("award") && hasBudget) {
            drawn.put(
                    payload.text("orderId"),
                    new DecidingVersion(payload.number("strategyId"), payload.number("strategyVersion")));
        }
    }

    private void requireRoom(EventTableRow event) {
        ParsedEventPayload payload = event.payload();
        long activity = payload.number("activityId");
        BigDecimal limit = event.isAtHome()
                ? pausing.get(activity)
                : everDrawing.contains(activity) ? null : most.get("budget:" + activity);
        if (limit != null) {
            BigDecimal before = spent.getOrDefault(new BudgetInLog("budget:" + activity, event.log()), BigDecimal.ZERO);
            BigDecimal room = dearest.getOrDefault(
                    new DecidingVersion(payload.number("strategyId"), payload.number("strategyVersion")),
                    BigDecimal.ZERO);
            tally.checked();
            if (before.add(room).compareTo(limit) > 0) {
                tally.violated("%s is drawn at event %d with %s spent of %s, and could not win an award of %s"
                        .formatted(payload.text("orderId"), event.position(), before, limit, room));
            }
        }
    }

    private void won(EventTableRow event) {
        ParsedEventPayload payload = event.payload();
        String record = payload.text("awardRecordId");
        HeldShare share = shareOf(payload);
        if (payload.has("insteadOf")) {
            move(payload.text("insteadOf"), share, event);
        } else {
            DecidingVersion by = drawn.remove("order:" + EventTableRow.key(record));
            require(by == null ? BigDecimal.ZERO : costOf(payload, by), share, event);
            if (share != null) {
                spend(share.budget(), share.amount(), most.get(share.budget()), event);
                String ofDay = share.ofDay();
                if (ofDay != null) {
                    spend(ofDay, share.amount(), most.get(share.budget() + "/"), event);
                }
            }
        }
        if (share != null && !payload.has("grantReference")) {
            held.put(record, share);
        }
    }

    private static @Nullable HeldShare shareOf(ParsedEventPayload won) {
        if (!won.has("budgetShare")) {
            return null;
        }
        ParsedEventPayload share = won.in("budgetShare");
        String budget = "budget:" + won.number("activityId");
        return new HeldShare(
                budget, share.has("day") ? budget + "/" + share.day("day") : null, share.decimal("amount"));
    }

    private BigDecimal costOf(ParsedEventPayload won, DecidingVersion by) {
        ParsedEventPayload award = won.in("award");
        BigDecimal cost = costs.getOrDefault(
                "%d/%d/%d".formatted(by.strategy(), by.version(), award.number("awardId")), BigDecimal.ZERO);
        return award.has("amount") ? cost.multiply(award.decimal("amount")) : cost;
    }

    private void require(BigDecimal cost, @Nullable HeldShare share, EventTableRow event) {
        tally.checked();
        BigDecimal taken = share == null ? BigDecimal.ZERO : share.amount();
        if (share == null
                && !event.isAtHome()
                && everWithout.contains(event.payload().number("activityId"))) {
            return;
        }
        if (cost.setScale(SCALE, RoundingMode.CEILING).compareTo(taken) != 0) {
            tally.violated("%s costs %s, and takes %s of the budget at event %d"
                    .formatted(event.payload().text("awardRecordId"), cost, taken, event.position()));
        }
    }

    private void spend(String counter, BigDecimal amount, @Nullable BigDecimal limit, EventTableRow event) {
        BigDecimal now = spent.merge(new BudgetInLog(counter, event.log()), amount, BigDecimal::add);
        tally.checked();
        if (limit == null || now.compareTo(limit) > 0) {
            tally.violated("%s is spent up to %s of %s at event %d".formatted(counter, now, limit, event.position()));
        }
    }

    /** Pays a substitute from the share of the award that it replaces, whose rest is given back later. */
    private void move(String replaced, @Nullable HeldShare share, EventTableRow event) {
        HeldShare from = held.get(replaced);
        tally.checked();
        if (share != null && from != null) {
            held.put(
                    replaced,
                    new HeldShare(from.budget(), from.ofDay(), from.amount().subtract(share.amount())));
        }
        if (share != null && (from == null || from.amount().compareTo(share.amount()) < 0)) {
            tally.violated("%s is paid from %s at event %d, which has no such share"
                    .formatted(event.payload().text("awardRecordId"), replaced, event.position()));
        }
    }

    private void giveBack(EventTableRow event) {
        HeldShare share = held.remove(event.payload().text("awardRecordId"));
        if (share != null) {
            BigDecimal less = share.amount().negate();
            spent.merge(new BudgetInLog(share.budget(), event.log()), less, BigDecimal::add);
            String ofDay = share.ofDay();
            if (ofDay != null) {
                spent.merge(new BudgetInLog(ofDay, event.log()), less, BigDecimal::add);
            }
        }
    }

    @Override
    public InvariantVerdict verdict(CheckMoment moment) {
        Map<String, BigDecimal> sums = new TreeMap<>();
        rows.keySet().forEach(name -> sums.put(name, BigDecimal.ZERO));
        spent.forEach((budget, amount) -> sums.merge(budget.counter(), amount, BigDecimal::add));
        sums.forEach((name, amount) -> {
            tally.checked();
            BigDecimal counted = BigDecimal.valueOf(rows.getOrDefault(name, 0L), SCALE);
            if (counted.compareTo(amount) != 0) {
                tally.violated("counter %s has taken %s, the events make it %s".formatted(name, counted, amount));
            }
            BigDecimal limit = most.get(name.substring(0, name.contains("/") ? name.indexOf('/') + 1 : name.length()));
            boolean isInSeveralLogs = spent.keySet().stream()
                            .filter(budget -> budget.counter().equals(name))
                            .count()
                    > 1;
            if (isInSeveralLogs && limit != null && amount.compareTo(limit) > 0) {
                tally.violated("all logs have spent %s of %s, of %s".formatted(amount, name, limit));
            }
        });
        return tally.verdict("budgets", "no budget is exceeded");
    }
}
