package lottery.store.pace;

import java.util.Map;

/**
 * The positions of the log and of its processors at one moment.
 *
 * @param head how many events there are
 * @param begun how many units of work have begun in this process
 * @param positions of processors that follow the log
 */
record ProgressReading(long atNanos, long head, long begun, Map<String, Long> positions) {}
