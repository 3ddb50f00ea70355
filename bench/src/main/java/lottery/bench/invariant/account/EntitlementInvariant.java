package lottery.bench.invariant.account;

import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
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
 * Checks that each completed recharge and each granted award with content grants its content once, in its own commit,
 * and that nothing else does. The refund of a delivered payment takes the content back in its own commit, and nothing
 * else does.
 */
public final class EntitlementInvariant implements Invariant {

    private final FindingTally tally = new FindingTally();
    private final SameCommitFinder stretches = new SameCommitFinder();

    /** By recharge that waits: the content that it was ordered with; empty if it gives chances only. */
    private final Map<String, String> ordered = new HashMap<>();

    /** By recharge or award record: the user and the content that it gives. */
    private final Map<String, String> contents = new HashMap<>();

    /** By recharge or award record: where it was completed or granted, and where its content was. */
    private final Map<String, EventPlace> completions = new LinkedHashMap<>();

    private final Map<String, EventPlace> grants = new LinkedHashMap<>();

    /** By payment: its recharge, the trade that was delivered for, and where this trade is given back. */
    private final Map<String, String> recharges = new HashMap<>();

    private final Map<String, String> deliveries = new HashMap<>();
    private final Map<String, EventPlace> refunds = new LinkedHashMap<>();

    /** By recharge: where its content was taken back. */
    private final Map<String, EventPlace> revocations = new LinkedHashMap<>();

    private final Map<String, Set<String>> sources = new HashMap<>();

    @Override
    public void accept(EventTableRow event) {
        EventPlace place = stretches.of(event);
        ParsedEventPayload payload = event.payload();
        switch (event.name()) {
            case "recharge.ordered" -> ordered.put(event.stream(), entitlement(payload));
            case "recharge.completed" -> {
                requireAsOrdered(event);
                if (payload.has("entitlement")) {
                    contents.put(event.stream(), content(payload.text("userId"), payload.text("entitlement")));
                    completions.put(event.stream(), place);
                    recharges.put(payload.text("outBusinessNo"), event.stream());
                }
            }
            case "award.won" -> {
                if (payload.in("award").text("type").equals("ENTITLEMENT")) {
                    contents.put(
                            event.stream(),
                            content(payload.text("userId"), payload.in("config").text("contentId")));
                }
            }
            case "award.granted" -> {
                if (contents.containsKey(event.stream())) {
                    completions.put(event.stream(), place);
                }
            }
            case "payment.delivered" ->
                deliveries.put(event.stream(), payload.in("trade").canonical());
            case "payment.refund-ordered" -> {
                if (payload.in("trade").canonical().equals(deliveries.get(event.stream()))) {
                    refunds.putIfAbsent(event.stream(), place);
                }
            }
            case "entitlement.granted" -> granted(event, place);
            case "entitlement.revoked" -> revoked(event, place);
            default -> {
                // Other events give no content.
            }
        }
    }

    private static String entitlement(ParsedEventPayload payload) {
        return payload.has("entitlement") ? payload.text("entitlement") : "";
    }

    private void requireAsOrdered(EventTableRow event) {
        String before = ordered.remove(event.stream());
        if (before != null && !before.equals(entitlement(event.payload()))) {
            tally.violated("%s was ordered with the content \"%s\" and has another one at event %d"
                    .formatted(event.stream(), before, event.position()));
        }
    }

    private static String content(String user, String contentId) {
        return contentId + " of " + user;
    }

    private void granted(EventTableRow event, EventPlace place) {
        tally.checked();
        ParsedEventPayload payload = event.payload();
        String source = payload.text("source");
        Set<String> known = sources.computeIfAbsent(event.stream(), _ -> new HashSet<>());
        if (known.isEmpty() != payload.flag("first")) {
            tally.violated("%s says at event %d whether it is the first grant, and is wrong"
                    .formatted(event.stream(), event.position()));
        }
        known.add(source);
        String content = content(payload.text("userId"), payload.text("contentId"));
        if (!content.equals(contents.get(source)) || grants.putIfAbsent(source, place) != null) {
            tally.violated(
                    "%s grants %s at event %d, which is not due from it".formatted(source, content, event.position()));
        }
    }

    private void revoked(EventTableRow event, EventPlace place) {
        tally.checked();
        ParsedEventPayload payload = event.payload();
        String source = payload.text("source");
        Set<String> known = sources.computeIfAbsent(event.stream(), _ -> new HashSet<>());
        if (!known.remove(source) || known.isEmpty() != payload.flag("last")) {
            tally.violated("%s loses %s at event %d, which it has not, or says wrongly whether it is the last source"
                    .formatted(event.stream(), source, event.position()));
        }
        revocations.put(source, place);
    }

    @Override
    public InvariantVerdict verdict(CheckMoment moment) {
        completions.forEach((source, completion) -> requireTogether(source, completion, grants.get(source), "granted"));
        grants.forEach((source, grant) -> requireTogether(source, grant, completions.get(source), "completed"));
        Map<String, EventPlace> refunded = new HashMap<>();
        refunds.forEach((payment, refund) -> {
            String recharge = recharges.get(payment);
            if (recharge != null) {
                refunded.put(recharge, refund);
                requireTogether(recharge, refund, revocations.get(recharge), "revoked");
            }
        });
        revocations.forEach(
                (source, revocation) -> requireTogether(source, revocation, refunded.get(source), "given back"));
        return tally.verdict("entitlements", "content is granted once for each source, and revoked by its refund");
    }

    private void requireTogether(String source, EventPlace one, @Nullable EventPlace other, String missing) {
        if (other == null || !one.isInSameCommitAs(other)) {
            tally.violated(
                    "%s: its content is not %s in the commit of event %d".formatted(source, missing, one.position()));
        }
    }
}
