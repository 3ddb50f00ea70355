package lottery.bench.invariant.readmodel;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import lottery.bench.invariant.EventTableRow;
import lottery.bench.invariant.ParsedEventPayload;

/** Distinguishes wins of pools from other wins, by the activities that are drawn at one time. */
final class PoolWinDetector {

    private final Set<Long> scheduled = new HashSet<>();

    /** The strategy and version with which each pool was frozen, by activity. */
    private final Map<Long, String> versions = new HashMap<>();

    /** Takes the next event. It has to be called for each event in the order of the log. */
    void after(EventTableRow event) {
        ParsedEventPayload payload = event.payload();
        switch (event.name()) {
            case "activity.created", "activity.edited" -> {
                if (payload.in("definition").has("draw")) {
                    scheduled.add(payload.number("activityId"));
                } else {
                    scheduled.remove(payload.number("activityId"));
                }
            }
            case "pool.frozen" ->
                versions.put(
                        payload.number("activityId"),
                        payload.number("strategyId") + "/" + payload.number("strategyVersion"));
            default -> {
                // The other events do not concern pools.
            }
        }
    }

    /**
     * Returns whether an award was won by a place in a pool. A substitute for a compensated award was not won by a
     * place.
     */
    boolean has(EventTableRow won) {
        return !won.payload().has("insteadOf")
                && scheduled.contains(won.payload().number("activityId"));
    }

    /** Returns the strategy and version by which an award of a pool was won. */
    String versionOf(EventTableRow won) {
        return versions.getOrDefault(won.payload().number("activityId"), "");
    }
}
