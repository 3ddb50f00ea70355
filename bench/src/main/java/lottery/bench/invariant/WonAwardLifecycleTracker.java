package lottery.bench.invariant;

import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Checks how far one won award is, by its events. */
final class WonAwardLifecycleTracker {

    /**
     * The most time from a due award to its dispatch. Sagas that are due are looked for every second, and there may be
     * many.
     */
    private static final Duration SETTING_OUT_MAX = Duration.ofSeconds(30);

    /** Reasons to wait, other than a time. */
    private enum Wait {
        RELEASE,
        CLAIM
    }

    private static final Set<String> ENDS = Set.of("GRANTED", "COMPENSATED", "FORFEITED", "VOIDED");

    private final String id;
    private final String insteadOf;
    private final @Nullable Instant grantAt;
    private final boolean isParcel;
    private final Set<Wait> waits = EnumSet.noneOf(Wait.class);
    private String state;
    private long since;
    private long rejectedAt;

    WonAwardLifecycleTracker(EventTableRow won) {
        ParsedEventPayload payload = won.payload();
        ParsedEventPayload grant = payload.in("grant");
        id = payload.text("awardRecordId");
        insteadOf = payload.has("insteadOf") ? payload.text("insteadOf") : "";
        grantAt = grant.has("at") ? grant.instant("at") : null;
        since = won.position();
        state = Objects.requireNonNull(AwardTransition.of(won)).to();
        if (grant.text("timing").equals("MANUAL")) {
            waits.add(Wait.RELEASE);
        }
        isParcel = payload.in("award").text("type").equals("PHYSICAL");
        if (isParcel) {
            waits.add(Wait.CLAIM);
        }
    }

    /** Describes the flaw of a win that is granted although somebody has to hand it over; empty: there is none. */
    static String flawOfWin(EventTableRow won) {
        ParsedEventPayload payload = won.payload();
        boolean needsNobody = payload.in("award").text("type").equals("TEXT")
                && payload.in("grant").text("timing").equals("INSTANT");
        return payload.has("grantReference") && !needsNobody
                ? "%s is granted at event %d, where it is won, although somebody has to hand it over"
                        .formatted(payload.text("awardRecordId"), won.position())
                : "";
    }

    /** Applies the event, and returns what is wrong with it in this state; empty if nothing is. */
    String goesOn(EventTableRow event, AwardTransition way) {
        String flaw = way.from().contains(state)
                ? flawOf(event)
                : "%s is %s since event %d and goes on with %s at event %d"
                        .formatted(id, state, since, event.name(), event.position());
        String next = way.after(state);
        since = next.equals(state) ? since : event.position();
        state = next;
        return flaw;
    }

    private String flawOf(EventTableRow event) {
        boolean fits = switch (event.name()) {
            case "award.released" -> waits.remove(Wait.RELEASE);
            case "award.claimed" -> waits.remove(Wait.CLAIM);
            case "award.address-erased" -> isParcel && waits.add(Wait.CLAIM);
            case "award.forfeited" -> waits.contains(Wait.CLAIM);
            default -> true;
        };
        if (!fits) {
            return "%s has %s at event %d and does not wait for that".formatted(id, event.name(), event.position());
        }
        return event.name().equals("award.grant-rejected") ? rejected(event) : "";
    }

    /** Notes a rejection, which fulfilment may give once. */
    private String rejected(EventTableRow event) {
        long before = rejectedAt;
        rejectedAt = event.position();
        return before == 0
                ? ""
                : "%s is rejected at event %d and again at event %d".formatted(id, before, event.position());
    }

    String id() {
        return id;
    }

    boolean isInsteadOf(String other) {
        return insteadOf.equals(other);
    }

    boolean isDrawn() {
        return insteadOf.isEmpty();
    }

    String state() {
        return state;
    }

    /** Returns the position of the event that has led to the state. */
    long since() {
        return since;
    }

    boolean isAtItsEnd() {
        return ENDS.contains(state);
    }

    boolean isOnDesk() {
        return state.equals("ON_DESK");
    }

    /**
     * Returns whether the award still waits. Its time has not come, or only a moment ago, or somebody has to say
     * something first.
     */
    boolean isWaiting(Instant now) {
        boolean isEarly = grantAt != null && grantAt.plus(SETTING_OUT_MAX).isAfter(now);
        return state.equals("WON") && (!waits.isEmpty() || isEarly);
    }
}
