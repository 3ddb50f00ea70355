package lottery.bench.invariant;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Tells wins of pools from others, by the activities that are drawn at one time. */
final class PoolWinDetector {

    private final Set<Long> scheduled = new HashSet<>();

    /** The strategy and version that a pool was frozen with, by its activity. */
    private final Map<Long, String> versions = new HashMap<>();

    /** Has to be told each event in the order of the log. */
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
                // The other events say nothing about that.
            }
        }
    }

    /** Returns whether a win is that of a place, and not a substitute for another award. */
    boolean has(EventTableRow won) {
        return !won.payload().has("insteadOf")
                && scheduled.contains(won.payload().number("activityId"));
    }

    /** Returns the strategy and version by which an award of a pool was won. */
    String versionOf(EventTableRow won) {
        return versions.getOrDefault(won.payload().number("activityId"), "");
    }
}
