package lottery.api.activity;

import java.time.Duration;
import java.time.Instant;

/**
 * The plan of an activity that does not decide each draw at once: its entries are drawn together, at one time.
 *
 * @param entriesCloseAt the time until which chances can be spent on entries
 * @param reserves how many entries after the winners are reserves
 */
public record DrawPlan(DrawMode mode, Instant drawAt, Instant entriesCloseAt, int reserves) {

    public static final int RESERVES_MAX = 10_000;

    /** How long before the draw the entries close, if the definition names no time. */
    public static final Duration CLOSED_BEFORE = Duration.ofMinutes(30);

    /** The ways to draw that need a plan. */
    public enum DrawMode {
        SCHEDULED
    }
}
