package lottery.bench.invariant.log;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import lottery.bench.invariant.EventTableRow;
import lottery.bench.invariant.FindingTally;
import lottery.bench.invariant.Invariant;
import lottery.bench.invariant.InvariantVerdict;
import lottery.bench.invariant.UnreadablePayloadException;
import org.jspecify.annotations.Nullable;

/**
 * Checks that the name of every event is known and its payload has the required fields. An unknown event could change
 * any of the checked sums, so the checker must not skip it.
 */
public final class EventNameInvariant {

    private static final Set<String> KNOWN = Set.of(
            "activity.created",
            "activity.edited",
            "activity.submitted",
            "activity.passed",
            "activity.refused",
            "activity.revoked",
            "activity.started",
            "activity.paused",
            "activity.resumed",
            "activity.award-held",
            "activity.held-award-released",
            "activity.closed",
            "activity.opened",
            "activity.seed-published",
            "activity.strategy-adopted",
            "strategy.defined",
            "strategy.revised",
            "account.opened",
            "account.recharged",
            "account.chance-spent",
            "account.order-used",
            "account.limited-award-won",
            "account.limited-sku-taken",
            "account.chance-returned",
            "recharge.ordered",
            "recharge.completed",
            "recharge.closed",
            "payment.ordered",
            "payment.provider-added",
            "payment.money-taken",
            "payment.delivered",
            "payment.closed",
            "payment.refund-ordered",
            "payment.refunded",
            "payment.left-to-desk",
            "entitlement.granted",
            "entitlement.revoked",
            "raffle.order-created",
            "raffle.drawn",
            "raffle.order-cancelled",
            "raffle.order-refused",
            "raffle.request-answered",
            "raffle.entered",
            "pool.entries-closed",
            "pool.frozen",
            "pool.ordered",
            "pool.page-drawn",
            "pool.drawn",
            "pool.reserve-moved-up",
            "pool.reserves-used-up",
            "pool.cancelled",
            "pool.entries-returned",
            "award.won",
            "award.released",
            "award.claimed",
            "award.address-erased",
            "award.forfeited",
            "award.voided",
            "award.dispatched",
            "award.dispatch-failed",
            "award.granted",
            "award.grant-rejected",
            "award.compensated",
            "award.left-to-desk",
            "tree.defined",
            "credit.booked",
            "proposal.made",
            "proposal.agreed",
            "proposal.declined",
            "user.banned",
            "user.ban-lifted",
            "person.erased",
            "rule.defined",
            "behaviour.reported",
            "behaviour.rebate-given",
            "behaviour.rebate-refused",
            "behaviour.rebate-dropped",
            "rebate.counted",
            "calendar.signed-in");

    private final FindingTally tally = new FindingTally();

    /** The positions of flawed events, so that an event that is read several times is counted once. */
    private final Set<Long> flawed = new HashSet<>();

    /** Passes the event to all invariants, and records whether they can read it. */
    public void see(EventTableRow event, List<Invariant> invariants) {
        String flaw = KNOWN.contains(event.name()) ? null : "is not known to the checker";
        if (flaw == null && !event.payload().isObject()) {
            flaw = "has a payload that is no JSON object";
        }
        for (Invariant invariant : invariants) {
            String found = flawFoundBy(invariant, event);
            flaw = flaw == null ? found : flaw;
        }
        if (!event.isRepeated()) {
            tally.checked();
        }
        if (flaw != null && flawed.add(event.position())) {
            tally.violated("event " + event.position() + ", " + event.name() + ", " + flaw);
        }
    }

    private static @Nullable String flawFoundBy(Invariant invariant, EventTableRow event) {
        try {
            invariant.accept(event);
            return null;
        } catch (UnreadablePayloadException unreadable) {
            return unreadable.reason();
        }
    }

    public InvariantVerdict verdict() {
        return tally.verdict("names", "every event is known and readable");
    }
}
