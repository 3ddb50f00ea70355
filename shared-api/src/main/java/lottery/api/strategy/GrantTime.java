package lottery.api.strategy;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * When a won award is handed over.
 *
 * @param at the time, if there is one: the scheduled time, or the end of the activity as soon as it is known
 */
public record GrantTime(Timing timing, @Nullable Instant at) {

    public static final GrantTime AT_ONCE = new GrantTime(Timing.INSTANT, null);

    /** The rule for the time. */
    public enum Timing {
        INSTANT,
        SCHEDULED,
        ACTIVITY_END,
        /** An operator decides when, by a release. */
        MANUAL
    }
}
