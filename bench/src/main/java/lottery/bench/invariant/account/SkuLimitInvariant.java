package lottery.bench.invariant.account;

import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
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
 * Checks that no user takes a SKU more often than its limit per user allows. If the activity has had several limits for
 * the SKU, it is enough that one of them allows this. Also checks that no recharge of a limited SKU is counted twice.
 */
public final class SkuLimitInvariant implements Invariant {

    private static final Set<String> DEFINED = Set.of("activity.created", "activity.edited");

    private record ActivitySku(long activity, long sku) {}

    private record Limit(long max, String period) {}

    private record UserOffer(String account, long sku) {}

    private final FindingTally tally = new FindingTally();

    /** The limits of each SKU, from all definitions of its activity so far. */
    private final Map<ActivitySku, Set<Limit>> limits = new HashMap<>();

    private final Map<UserOffer, List<LocalDate>> uses = new HashMap<>();
    private final Set<String> recharges = new HashSet<>();

    @Override
    public void accept(EventTableRow event) {
        ParsedEventPayload payload = event.payload();
        if (DEFINED.contains(event.name())) {
            long activity = payload.number("activityId");
            payload.in("definition").each("skus").stream()
                    .filter(sku -> sku.has("perUser"))
                    .forEach(sku -> limits.computeIfAbsent(
                                    new ActivitySku(activity, sku.number("sku")), unknown -> new HashSet<>())
                            .add(new Limit(
                                    sku.in("perUser").number("max"),
                                    sku.in("perUser").text("period"))));
        } else if (event.name().equals("account.limited-sku-taken")) {
            tally.checked();
            taken(event);
        }
    }

    private void taken(EventTableRow event) {
        ParsedEventPayload payload = event.payload();
        long sku = payload.number("sku");
        LocalDate day = payload.day("day");
        if (!recharges.add(payload.text("rechargeId"))) {
            tally.violated("%s is counted again at event %d".formatted(payload.text("rechargeId"), event.position()));
        }
        List<LocalDate> days =
                uses.computeIfAbsent(new UserOffer(AccountTally.key(payload), sku), unknown -> new ArrayList<>());
        days.add(day);
        Set<Limit> had = limits.getOrDefault(new ActivitySku(payload.number("activityId"), sku), Set.of());
        if (had.stream().noneMatch(limit -> isKept(limit, day, days))) {
            tally.violated("%s has SKU %d %d times at event %d, which no limit of it allows: %s"
                    .formatted(AccountTally.key(payload), sku, days.size(), event.position(), had));
        }
    }

    private static boolean isKept(Limit limit, LocalDate day, List<LocalDate> days) {
        long count = switch (limit.period()) {
            case "DAY" -> days.stream().filter(day::equals).count();
            case "MONTH" ->
                days.stream()
                        .filter(use -> use.withDayOfMonth(1).equals(day.withDayOfMonth(1)))
                        .count();
            default -> days.size();
        };
        return count <= limit.max();
    }

    @Override
    public InvariantVerdict verdict(CheckMoment moment) {
        return tally.verdict("sku-limits", "no user has a SKU more often than one user can");
    }
}
