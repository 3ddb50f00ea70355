package lottery.bench.invariant;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * All invariants that can be checked today.
 *
 * <p>An event that is not known here makes the check fail: it could change any of the sums, and a checker that
 * overlooks something is worse than none.
 */
public final class Invariants {

    private static final int FETCH_ROWS = 1_000;

    private static final Set<String> KNOWN = Set.of(
            "activity.created",
            "activity.edited",
            "activity.submitted",
            "activity.passed",
            "activity.refused",
            "activity.revoked",
            "activity.started",
            "activity.closed",
            "activity.opened",
            "activity.seed-published",
            "strategy.defined",
            "strategy.revised",
            "account.recharged",
            "account.chance-spent",
            "account.order-used",
            "account.chance-returned",
            "recharge.ordered",
            "recharge.completed",
            "recharge.closed",
            "raffle.order-created",
            "raffle.drawn",
            "raffle.order-cancelled",
            "raffle.request-answered",
            "award.won",
            "award.released",
            "award.claimed",
            "award.forfeited",
            "award.dispatched",
            "award.dispatch-failed",
            "award.granted",
            "award.grant-rejected",
            "award.compensated",
            "award.left-to-desk",
            "tree.defined",
            "credit.booked");

    private final Tally readable = new Tally();
    private final List<Invariant> invariants;

    private Invariants(List<Invariant> invariants) {
        this.invariants = invariants;
    }

    /** Reads all that the connection shows, which has to be of one moment. */
    public static List<Verdict> check(Connection connection, Moment moment) throws SQLException {
        Invariants invariants = withReadModels(connection, moment);
        try (Statement statement = connection.createStatement()) {
            statement.setFetchSize(FETCH_ROWS);
            try (ResultSet rows = statement.executeQuery(Event.IN_ORDER)) {
                while (rows.next()) {
                    invariants.see(Event.of(rows));
                }
            }
        }
        return invariants.verdicts(moment);
    }

    private static Invariants withReadModels(Connection connection, Moment moment) throws SQLException {
        List<Invariant> invariants = new ArrayList<>(List.of(
                new Positions(),
                new Sequences(),
                new Outcomes(),
                new Quotas(),
                new Recharges(),
                Grants.read(connection),
                new Wins(),
                Stock.read(connection),
                Credits.read(connection)));
        for (Fold fold : List.of(
                new AccountFold(),
                new WinFold(),
                new CampaignFold.Activities(),
                new CampaignFold.Wheel(),
                new CreditFold(),
                new UnitFold(),
                new WinnerFold(),
                OddsFold.read(connection, moment))) {
            invariants.add(ReadModel.read(connection, fold));
        }
        invariants.add(UnitCounts.read(connection));
        return new Invariants(invariants);
    }

    private void see(Event event) {
        readable.checked();
        String flaw = KNOWN.contains(event.name()) ? null : "is not known to the checker";
        if (flaw == null && !event.payload().isObject()) {
            flaw = "has a payload that is no JSON object";
        }
        for (Invariant invariant : invariants) {
            String found = flawFoundBy(invariant, event);
            flaw = flaw == null ? found : flaw;
        }
        if (flaw != null) {
            readable.violated("event " + event.position() + ", " + event.name() + ", " + flaw);
        }
    }

    private static @Nullable String flawFoundBy(Invariant invariant, Event event) {
        try {
            invariant.see(event);
            return null;
        } catch (Unreadable unreadable) {
            return unreadable.reason();
        }
    }

    private List<Verdict> verdicts(Moment moment) {
        List<Verdict> verdicts = new ArrayList<>();
        verdicts.add(readable.verdict("names", "every event is known and readable"));
        invariants.forEach(invariant -> verdicts.add(invariant.verdict(moment)));
        return List.copyOf(verdicts);
    }
}
