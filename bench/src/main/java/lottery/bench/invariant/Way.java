package lottery.bench.invariant;

import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What can happen to a won award.
 *
 * @param to the state that it leads to; {@link #STAYS}: none
 * @param from the states in which it can happen
 */
record Way(String to, Set<String> from) {

    static final String STAYS = "";

    private static final Set<String> NOT_DISPATCHED = Set.of("WON", "DISPATCH_FAILED");
    private static final Set<String> UNANSWERED = Set.of("WON", "DISPATCHED", "DISPATCH_FAILED", "ON_DESK");
    private static final Set<String> UNSETTLED = Set.of("WON", "DISPATCHED", "DISPATCH_FAILED", "REJECTED");

    private static final Map<String, Way> WAYS = Map.of(
            "award.won", new Way("WON", Set.of()),
            "award.released", new Way(STAYS, Set.of("WON")),
            "award.claimed", new Way(STAYS, Set.of("WON")),
            "award.forfeited", new Way("FORFEITED", Set.of("WON")),
            "award.dispatched", new Way("DISPATCHED", NOT_DISPATCHED),
            "award.dispatch-failed", new Way("DISPATCH_FAILED", NOT_DISPATCHED),
            "award.granted", new Way("GRANTED", UNANSWERED),
            "award.grant-rejected", new Way("REJECTED", UNANSWERED),
            "award.compensated", new Way("COMPENSATED", Set.of("REJECTED", "ON_DESK")),
            "award.left-to-desk", new Way("ON_DESK", UNSETTLED));

    /** An award that needs nobody is granted in the moment in which it is won. */
    static final Way WON_AND_GRANTED = new Way("GRANTED", Set.of());

    /** Null: the event is not about won awards. */
    static @Nullable Way of(Event event) {
        Way way = WAYS.get(event.name());
        return event.name().equals("award.won") && event.payload().has("grantReference") ? WON_AND_GRANTED : way;
    }

    String after(String state) {
        return to.equals(STAYS) ? state : to;
    }
}
