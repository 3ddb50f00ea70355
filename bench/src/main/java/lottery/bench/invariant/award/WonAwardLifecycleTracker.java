package lottery.bench.invariant.award;

import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;
import lottery.bench.invariant.AwardTransition;
import lottery.bench.invariant.EventTableRow;
import lottery.bench.invariant.ParsedEventPayload;
import org.jspecify.annotations.Nullable;

/** Tracks the state of one won award by its events, and checks each step. */
final class WonAwardLifecycleTracker {

    /**
     * The longest time from the due time of an award to its dispatch. Due sagas are polled every second, and many may
     * be due at once.
     */
    private static final Duration SETTING_OUT_MAX = Duration.ofSeconds(30);

    /** Reasons for which an award waits, other than a time. */
    private enum WaitReason {
        RELEASE,
        CLAIM
    }

    private static final Set<String> ENDS = Set.of("GRANTED", "COMPENSATED", "FORFEITED", "VOIDED");

    private final String id;
    private final String insteadOf;
    private final @Nullable Instant grantAt;
    private final boolean isParcel;
    private final Set<WaitReason> waits = EnumSet.noneOf(WaitReason.class);
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
            waits.add(WaitReason.RELEASE);
        }
        isParcel = payload.in("award").text("type").equals("PHYSICAL");
        if (isParcel) {
            waits.add(WaitReason.CLAIM);
        }
    }

    /**
     * Returns a description of what is wrong with the win; empty if nothing is wrong. An award that somebody has to
     * hand over must not be granted in the event that wins it. Nobody has to hand over texts, and credits and codes
     * that are booked or taken in the same commit.
     */
    static String flawOfWin(EventTableRow won) {
        ParsedEventPayload payload = won.payload();
        boolean needsNobody =
                Set.of("TEXT", "CREDIT", "CODE").contains(payload.in("award").text("type"))
                        && payload.in("grant").text("timing").equals("INSTANT");
        return payload.has("grantReference") && !needsNobody
                ? "%s is granted at event %d, where it is won, although somebody has to hand it over"
                        .formatted(payload.text("awardRecordId"), won.position())
                : "";
    }

    /** Applies the event, and returns a text of what is wrong with it in this state; empty if nothing is wrong. */
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
            case "award.released" -> waits.remove(WaitReason.RELEASE);
            case "award.claimed" -> waits.remove(WaitReason.CLAIM);
            case "award.address-erased" -> isParcel && waits.add(WaitReason.CLAIM);
            case "award.forfeited" -> waits.contains(WaitReason.CLAIM);
            default -> true;
        };
        if (!fits) {
            return "%s has %s at event %d and does not wait for that".formatted(id, event.name(), event.position());
        }
        return event.name().equals("award.grant-rejected") ? rejected(event) : "";
    }

    /**
     * Records a rejection, and returns what is wrong if fulfilment has already rejected the award; otherwise an empty
     * text.
     */
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

    /** Returns the position of the event that has led to the current state. */
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
     * Returns whether the award still waits for its time, for a release, or for a claim. An award whose time has just
     * come counts as waiting.
     */
    boolean isWaiting(Instant now) {
        boolean isEarly = grantAt != null && grantAt.plus(SETTING_OUT_MAX).isAfter(now);
        return state.equals("WON") && (!waits.isEmpty() || isEarly);
    }
}
