package lottery.bench.invariant;

import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An event that can happen to a won award.
 *
 * @param to the state after the event; {@link #STAYS} if the state does not change
 * @param from the states in which the event can happen
 */
public record AwardTransition(String to, Set<String> from) {

    public static final String STAYS = "";

    private static final Set<String> NOT_DISPATCHED = Set.of("WON", "DISPATCH_FAILED");
    private static final Set<String> UNANSWERED = Set.of("WON", "DISPATCHED", "DISPATCH_FAILED", "ON_DESK");
    private static final Set<String> UNSETTLED = Set.of("WON", "DISPATCHED", "DISPATCH_FAILED", "REJECTED");

    private static final Set<String> VOIDABLE = Set.of("WON", "REJECTED", "ON_DESK");

    private static final Map<String, AwardTransition> WAYS = Map.ofEntries(
            Map.entry("award.won", new AwardTransition("WON", Set.of())),
            Map.entry("award.released", new AwardTransition(STAYS, Set.of("WON"))),
            Map.entry("award.claimed", new AwardTransition(STAYS, Set.of("WON"))),
            Map.entry("award.address-erased", new AwardTransition("WON", Set.of("WON"))),
            Map.entry("award.forfeited", new AwardTransition("FORFEITED", Set.of("WON"))),
            Map.entry("award.voided", new AwardTransition("VOIDED", VOIDABLE)),
            Map.entry("award.dispatched", new AwardTransition("DISPATCHED", NOT_DISPATCHED)),
            Map.entry("award.dispatch-failed", new AwardTransition("DISPATCH_FAILED", NOT_DISPATCHED)),
            Map.entry("award.granted", new AwardTransition("GRANTED", UNANSWERED)),
            Map.entry("award.grant-rejected", new AwardTransition("REJECTED", UNANSWERED)),
            Map.entry("award.compensated", new AwardTransition("COMPENSATED", Set.of("REJECTED", "ON_DESK"))),
            Map.entry("award.left-to-desk", new AwardTransition("ON_DESK", UNSETTLED)));

    /** The transition of an award that needs no handover: it is granted in the same event in which it is won. */
    public static final AwardTransition WON_AND_GRANTED = new AwardTransition("GRANTED", Set.of());

    /** Returns the transition of the event; null if the event does not concern won awards. */
    public static @Nullable AwardTransition of(EventTableRow event) {
        AwardTransition way = WAYS.get(event.name());
        return event.name().equals("award.won") && event.payload().has("grantReference") ? WON_AND_GRANTED : way;
    }

    public String after(String state) {
        return to.equals(STAYS) ? state : to;
    }
}
