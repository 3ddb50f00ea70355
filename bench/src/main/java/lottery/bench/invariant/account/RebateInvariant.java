package lottery.bench.invariant.account;

import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.YearMonth;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import lottery.bench.invariant.CheckMoment;
import lottery.bench.invariant.EventTableRow;
import lottery.bench.invariant.FindingTally;
import lottery.bench.invariant.Invariant;
import lottery.bench.invariant.InvariantVerdict;
import lottery.bench.invariant.ParsedEventPayload;
import lottery.bench.invariant.SameCommitFinder;
import lottery.bench.invariant.SameCommitFinder.EventPlace;
import org.jspecify.annotations.Nullable;

/**
 * Checks that each rebate matches its rule and is given once, by one recharge or booking of its user in the same
 * commit. No recharge and no booking has the business number of a rebate that was not given. A rule with a limit gives
 * no user more rebates than the limit. At rest, each rebate is given or refused.
 */
public final class RebateInvariant implements Invariant {

    private static final String BEHAVIOUR = "behaviour:";
    private static final String NO_LIMIT = "";
    private static final List<String> PERIODS = List.of("DAY", "MONTH", "EVER");

    private static final Set<String> OVER = Set.of("behaviour.rebate-given", "behaviour.rebate-refused");

    /** @param period the period of its limit; empty if it has no limit */
    private record RuleTerms(String behaviour, Map<Long, String> rebates, String period, long count) {}

    /** @param said the chances or credits that the rebate gives, as text */
    private record RequestedRebate(String user, String said, long position) {}

    /**
     * A recharge or booking for a rebate.
     *
     * @param said the chances or credits that it gave, as text
     */
    private record PaidRebate(String user, String said, EventPlace place) {}

    private record RuleUsage(String user, long rule) {}

    private record RuleUsagePeriod(RuleUsage counted, String time) {}

    private final FindingTally tally = new FindingTally();
    private final SameCommitFinder stretches = new SameCommitFinder();

    /** The rules, by number and version. */
    private final Map<String, RuleTerms> rules = new HashMap<>();

    /** The ordered rebates, by business number. */
    private final Map<String, RequestedRebate> ordered = new LinkedHashMap<>();

    private final Map<String, EventPlace> given = new HashMap<>();
    private final Map<String, PaidRebate> bookings = new LinkedHashMap<>();
    private final Set<String> decided = new HashSet<>();
    private final Map<RuleUsagePeriod, Long> counts = new HashMap<>();
    private final Map<RuleUsage, LocalDate> latest = new HashMap<>();

    /**
     * How often each limited rule was counted for a behaviour. The count has to be one if the behaviour gets a rebate
     * by the rule.
     */
    private final Map<String, Long> countedFor = new HashMap<>();

    private final Map<String, Long> limitedBy = new HashMap<>();

    @Override
    public void accept(EventTableRow event) {
        EventPlace place = stretches.of(event);
        ParsedEventPayload payload = event.payload();
        switch (event.name()) {
            case "rule.defined" -> defined(payload);
            case "behaviour.reported" -> reported(event);
            case "behaviour.rebate-given" -> {
                tally.checked();
                EventPlace before = given.putIfAbsent(number(event), place);
                if (before != null) {
                    tally.violated("%s is given at event %d and again at event %d"
                            .formatted(number(event), before.position(), event.position()));
                }
                decided(event);
            }
            case "behaviour.rebate-refused", "behaviour.rebate-dropped" -> decided(event);
            case "rebate.counted" -> counted(event);
            case "recharge.completed" ->
                booked(
                        payload.text("outBusinessNo"),
                        new PaidRebate(
                                payload.text("userId"),
                                chances(payload.number("activityId"), payload.number("sku")),
                                place));
            case "credit.booked" ->
                booked(
                        payload.text("businessNo"),
                        new PaidRebate(payload.text("userId"), credits(payload.decimal("amount")), place));
            default -> {
                // Other events do not concern rebates.
            }
        }
    }

    private static String chances(long activity, long sku) {
        return "SKU %d of activity %d".formatted(sku, activity);
    }

    private static String credits(BigDecimal amount) {
        return amount.stripTrailingZeros().toPlainString() + " credits";
    }

    private static String said(ParsedEventPayload rebate) {
        return rebate.text("kind").equals("SKU")
                ? chances(rebate.number("activityId"), rebate.number("sku"))
                : credits(rebate.decimal("amount"));
    }

    private static String number(EventTableRow event) {
        return number(
                event.payload().text("behaviourId"),
                event.payload().number("ruleId"),
                event.payload().number("index"));
    }

    private static String number(String behaviour, long rule, long index) {
        return "%s:%d:%d".formatted(behaviour, rule, index);
    }

    private void defined(ParsedEventPayload payload) {
        ParsedEventPayload definition = payload.in("definition");
        Map<Long, String> rebates = new HashMap<>();
        for (ParsedEventPayload rebate : definition.each("rebates")) {
            rebates.put((long) rebates.size(), said(rebate));
        }
        boolean hasLimit = definition.has("limit");
        RuleTerms rule = new RuleTerms(
                definition.text("behaviour"),
                rebates,
                hasLimit ? definition.in("limit").text("period") : NO_LIMIT,
                hasLimit ? definition.in("limit").number("count") : 0);
        rules.put(payload.number("ruleId") + "/" + payload.number("version"), rule);
    }

    private void reported(EventTableRow event) {
        ParsedEventPayload payload = event.payload();
        String behaviour = payload.text("behaviourId");
        if (!behaviour.equals(event.stream()) || event.sequence() != 0) {
            tally.violated("%s is reported at event %d in the stream of %s, as its event %d"
                    .formatted(behaviour, event.position(), event.stream(), event.sequence()));
        }
        for (ParsedEventPayload rebate : payload.each("rebates")) {
            long ruleId = rebate.number("ruleId");
            String number = number(behaviour, ruleId, rebate.number("index"));
            String said = said(rebate.in("rebate"));
            requireRule(event, number, rebate, said);
            ordered.put(number, new RequestedRebate(payload.text("userId"), said, event.position()));
            @Nullable RuleTerms rule = rules.get(ruleId + "/" + rebate.number("version"));
            if (rebate.has("reason")) {
                decided.add(number);
            } else if (rule != null && !rule.period().equals(NO_LIMIT)) {
                limitedBy.put(behaviour + ":" + ruleId, event.position());
                requireInLimit(new RuleUsage(payload.text("userId"), ruleId), rule, event);
            }
        }
    }

    private void requireRule(EventTableRow event, String number, ParsedEventPayload rebate, String said) {
        @Nullable RuleTerms rule = rules.get(rebate.number("ruleId") + "/" + rebate.number("version"));
        if (rule == null
                || !rule.behaviour().equals(event.payload().text("behaviour"))
                || !said.equals(rule.rebates().get(rebate.number("index")))) {
            tally.violated("%s is %s at event %d, which no rule says".formatted(number, said, event.position()));
        }
    }

    private void decided(EventTableRow event) {
        String number = number(event);
        if (!ordered.containsKey(number)) {
            tally.violated(
                    "%s has %s at event %d and was never ordered".formatted(number, event.name(), event.position()));
        }
        if (OVER.contains(event.name())) {
            decided.add(number);
        }
    }

    private void counted(EventTableRow event) {
        ParsedEventPayload payload = event.payload();
        RuleUsage counted = new RuleUsage(payload.text("userId"), payload.number("ruleId"));
        LocalDate day = payload.day("day");
        countedFor.merge(payload.text("behaviourId") + ":" + counted.rule(), 1L, Long::sum);
        LocalDate before = latest.getOrDefault(counted, day);
        if (day.isBefore(before)) {
            tally.violated("rule %d is counted for %s on %s at event %d, after %s"
                    .formatted(counted.rule(), counted.user(), day, event.position(), before));
        }
        latest.put(counted, day);
        for (String period : PERIODS) {
            counts.merge(new RuleUsagePeriod(counted, period + " " + timeOf(period, day)), 1L, Long::sum);
        }
    }

    /**
     * Requires that the limit is kept. It is the limit in the version of the rule that gave the rebate. This may be an
     * older version, because processes learn of a change only after some seconds.
     */
    private void requireInLimit(RuleUsage counted, RuleTerms rule, EventTableRow event) {
        String time = rule.period() + " " + timeOf(rule.period(), latest.getOrDefault(counted, LocalDate.EPOCH));
        long count = counts.getOrDefault(new RuleUsagePeriod(counted, time), 0L);
        if (count > rule.count()) {
            tally.violated("rule %d has paid %s %d times in %s at event %d, and its limit is %d"
                    .formatted(counted.rule(), counted.user(), count, time, event.position(), rule.count()));
        }
    }

    private static String timeOf(String period, LocalDate day) {
        return switch (period) {
            case "DAY" -> day.toString();
            case "MONTH" -> YearMonth.from(day).toString();
            default -> "all time";
        };
    }

    private void booked(String businessNo, PaidRebate booking) {
        if (!businessNo.startsWith(BEHAVIOUR)) {
            return;
        }
        @Nullable PaidRebate before = bookings.putIfAbsent(businessNo, booking);
        if (before != null) {
            tally.violated("%s is booked at event %d and again at event %d"
                    .formatted(
                            businessNo,
                            before.place().position(),
                            booking.place().position()));
        }
    }

    @Override
    public InvariantVerdict verdict(CheckMoment moment) {
        given.forEach(this::requireBooking);
        bookings.forEach((number, booking) -> {
            if (!given.containsKey(number)) {
                tally.violated("%s is booked at event %d, and was not given"
                        .formatted(number, booking.place().position()));
            }
        });
        limitedBy.forEach((payment, position) -> {
            if (countedFor.getOrDefault(payment, 0L) != 1) {
                tally.violated("%s is paid at event %d and counted %d times"
                        .formatted(payment, position, countedFor.getOrDefault(payment, 0L)));
            }
        });
        if (moment == CheckMoment.AT_REST) {
            ordered.forEach((number, rebate) -> {
                if (!decided.contains(number)) {
                    tally.violated("%s is ordered at event %d, and neither given nor refused"
                            .formatted(number, rebate.position()));
                }
            });
        }
        return tally.verdict("rebates", "a rebate is what its rule said, and is given once");
    }

    private void requireBooking(String number, EventPlace place) {
        @Nullable PaidRebate booking = bookings.get(number);
        @Nullable RequestedRebate rebate = ordered.get(number);
        if (booking == null) {
            tally.violated("%s is given at event %d, and nothing is booked for it".formatted(number, place.position()));
        } else if (!booking.place().isInSameCommitAs(place)) {
            tally.violated("%s is given at event %d and booked at event %d, in another commit"
                    .formatted(number, place.position(), booking.place().position()));
        } else if (rebate != null
                && (!booking.user().equals(rebate.user()) || !booking.said().equals(rebate.said()))) {
            tally.violated("%s is %s for %s, and %s for %s at event %d"
                    .formatted(
                            number,
                            rebate.said(),
                            rebate.user(),
                            booking.said(),
                            booking.user(),
                            booking.place().position()));
        }
    }
}
