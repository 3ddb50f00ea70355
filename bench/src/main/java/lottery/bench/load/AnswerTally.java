package lottery.bench.load;

import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;

/**
 * Counts answers by kind, and records the latencies of requests that were done. A request that was done is in both or
 * in neither, although callers go on while the counts are reset.
 */
final class AnswerTally {

    private static final long MICROS_MAX = 120_000_000;
    private static final int DIGITS = 3;
    private static final double NANOS_PER_SECOND = Duration.ofSeconds(1).toNanos();

    private final Recorder micros = new Recorder(MICROS_MAX, DIGITS);
    private final Histogram all = new Histogram(MICROS_MAX, DIGITS);
    private final Map<String, Long> answers = new TreeMap<>();
    private long beginNanos = System.nanoTime();

    /**
     * Records the answer to a request that was done, and its latency. A refusal is only counted, because the latencies
     * of quick refusals would make the lottery look fast.
     */
    synchronized void done(String answer, long nanos) {
        count(answer);
        micros.recordValue(Math.clamp(nanos / 1_000, 1, MICROS_MAX));
    }

    void count(String answer) {
        count(answer, 1);
    }

    synchronized void count(String answer, long times) {
        answers.merge(answer, times, Long::sum);
    }

    /** Returns the latencies since the previous call. Only one thread may call this. */
    Histogram since() {
        Histogram interval = micros.getIntervalHistogram();
        all.add(interval);
        return interval;
    }

    /** Resets all counts at the end of the warm-up. */
    synchronized void begin() {
        micros.reset();
        all.reset();
        answers.clear();
        beginNanos = System.nanoTime();
    }

    /** Returns how many requests were done per second since the last reset. */
    double donePerSecond() {
        since();
        return all.getTotalCount() * NANOS_PER_SECOND / (System.nanoTime() - beginNanos);
    }

    Histogram all() {
        return all;
    }

    synchronized Map<String, Long> answers() {
        return new TreeMap<>(answers);
    }
}
