package lottery.store.pace;

import java.util.Map;

/**
 * The positions of the log and of its processors at one moment.
 *
 * @param head the position of the newest event
 * @param begun how many units of work have begun in this process
 * @param positions the positions of the processors that follow the log
 */
record ProgressReading(long atNanos, long head, long begun, Map<String, Long> positions) {}
