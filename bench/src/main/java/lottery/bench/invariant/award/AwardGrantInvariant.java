package lottery.bench.invariant.award;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.LinkedHashMap;
import java.util.Map;
import lottery.bench.invariant.AwardTransition;
import lottery.bench.invariant.CheckMoment;
import lottery.bench.invariant.EventTableRow;
import lottery.bench.invariant.FindingTally;
import lottery.bench.invariant.Invariant;
import lottery.bench.invariant.InvariantVerdict;
import lottery.bench.invariant.ParsedEventPayload;
import org.jspecify.annotations.Nullable;

/**
 * I6: a drawn award is won, and a won award has exactly one end. It is granted, compensated or forfeited, or it waits
 * for an operator on the desk. At rest every award has such an end, except awards that wait for their time, for a
 * release or for a claim.
 */
public final class AwardGrantInvariant implements Invariant {

    private static final String SUBSTITUTE = "SUBSTITUTE";
    private static final String RETURN_CHANCE = "RETURN_CHANCE";

    /** A promised substitute for a compensated award, with the position of the event that promises it. */
    private record PromisedSubstitute(String substitute, long position) {}

    private final FindingTally tally = new FindingTally();
    private final Instant now;
    private final Map<String, WonAwardLifecycleTracker> wins = new LinkedHashMap<>();

    /** The positions of draws with an award whose win is not read yet, by order. */
    private final Map<String, Long> drawn = new LinkedHashMap<>();

    /** The promised substitutes, by the compensated award. */
    private final Map<String, PromisedSubstitute> promises = new LinkedHashMap<>();

    private AwardGrantInvariant(Instant now) {
        this.now = now;
    }

    /**
     * Creates the check with the current time of the database, so that a wrong clock of this machine does not matter.
     */
    public static AwardGrantInvariant read(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT now()")) {
            rows.next();
            return new AwardGrantInvariant(
                    rows.getObject(1, OffsetDateTime.class).toInstant());
        }
    }

    @Override
    public void accept(EventTableRow event) {
        switch (event.name()) {
            case "raffle.drawn" -> {
                if (event.payload().has("award")) {
                    drawn.put(event.payload().text("orderId"), event.position());
                }
            }
            case "award.won" -> won(event);
            default -> {
                AwardTransition way = AwardTransition.of(event);
                if (way != null) {
                    goesOn(event, way);
                }
            }
        }
    }

    private void won(EventTableRow event) {
        tally.checked();
        WonAwardLifecycleTracker award = new WonAwardLifecycleTracker(event);
        wins.putIfAbsent(award.id(), award);
        String flaw = WonAwardLifecycleTracker.flawOfWin(event);
        if (!flaw.isEmpty()) {
            tally.violated(flaw);
        }
        if (award.isDrawn()) {
            drawn.remove("order:" + EventTableRow.key(award.id()));
        }
    }

    /**
     * Applies an event to its award. Events of awards that were never won are ignored here, because I7 reports them.
     */
    private void goesOn(EventTableRow event, AwardTransition way) {
        WonAwardLifecycleTracker award = wins.get(event.payload().text("awardRecordId"));
        if (award == null) {
            return;
        }
        String flaw = award.goesOn(event, way);
        if (!flaw.isEmpty()) {
            tally.violated(flaw);
        }
        if (event.name().equals("award.compensated")) {
            compensated(award, event);
        }
    }

    private void compensated(WonAwardLifecycleTracker award, EventTableRow event) {
        ParsedEventPayload payload = event.payload();
        String by = payload.text("by");
        String substitute = payload.has("substitute") ? payload.text("substitute") : "";
        boolean fits = substitute.isEmpty() ? by.equals(RETURN_CHANCE) : by.equals(SUBSTITUTE);
        if (!fits) {
            tally.violated("%s is compensated by %s at event %d, with %s"
                    .formatted(award.id(), by, event.position(), substitute.isEmpty() ? "nothing" : substitute));
        } else if (!substitute.isEmpty()) {
            promises.put(award.id(), new PromisedSubstitute(substitute, event.position()));
        }
    }

    @Override
    public InvariantVerdict verdict(CheckMoment moment) {
        drawn.forEach((order, position) ->
                tally.violated("%s drew an award at event %d that nobody won".formatted(order, position)));
        promises.forEach((award, promise) -> requireSubstitute(award, promise, wins.get(promise.substitute())));
        long waiting = 0;
        long onDesk = 0;
        long inFlight = 0;
        for (WonAwardLifecycleTracker award : wins.values()) {
            if (award.isOnDesk()) {
                onDesk++;
            } else if (award.isWaiting(now)) {
                waiting++;
            } else if (!award.isAtItsEnd()) {
                inFlight++;
                requireMotion(award, moment);
            }
        }
        tally.noted("in flight", inFlight);
        tally.noted("waiting", waiting);
        tally.noted("on the desk", onDesk);
        return tally.verdict("I6", "every win is granted, compensated, forfeited or voided, once, or on the desk");
    }

    private void requireSubstitute(
            String award, PromisedSubstitute promise, @Nullable WonAwardLifecycleTracker substitute) {
        if (substitute == null || !substitute.isInsteadOf(award)) {
            tally.violated("%s is compensated by %s at event %d, which nobody won instead of it"
                    .formatted(award, promise.substitute(), promise.position()));
        }
    }

    private void requireMotion(WonAwardLifecycleTracker award, CheckMoment moment) {
        if (moment == CheckMoment.AT_REST) {
            tally.violated(
                    "%s is %s since event %d and comes to no end".formatted(award.id(), award.state(), award.since()));
        }
    }
}
