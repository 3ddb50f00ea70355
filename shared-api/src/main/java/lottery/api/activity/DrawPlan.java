package lottery.api.activity;

import java.time.Duration;
import java.time.Instant;

/**
 * How an activity is drawn that does not draw at once: its entries are drawn together, at one time.
 *
 * @param entriesCloseAt until then chances can be spent on entries
 * @param reserves how many entries behind the winners are reserves
 */
public record DrawPlan(DrawMode mode, Instant drawAt, Instant entriesCloseAt, int reserves) {

    public static final int RESERVES_MAX = 10_000;

    /** How long before the draw the entries close, if it is not said. */
    public static final Duration CLOSED_BEFORE = Duration.ofMinutes(30);

    /** The ways to draw that need a plan. */
    public enum DrawMode {
        SCHEDULED
    }
}
