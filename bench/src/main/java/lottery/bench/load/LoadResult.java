package lottery.bench.load;

import java.util.List;
import java.util.Map;
import lottery.bench.load.AfterLoadTask.Work;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * The result of a run, as it is written down.
 *
 * @param done requests, with those that were answered after the end
 * @param donePerSecond requests done a second until the end of the measurement; at a fixed rate, until the last due one
 *     is answered
 * @param doneHalf requests done a second in the first half of the measurement, and in the second: less means that
 *     something piles up
 * @param lagAtEnd events that the slowest processor had not seen when the last request was answered; null: not known
 * @param restMs time until every processor had seen all and nothing came any more; null: longer than the wait, or not
 *     known
 * @param afterwards the results of the tasks that followed
 */
record LoadResult(
        Map<String, String> conditions,
        long done,
        double donePerSecond,
        List<Double> doneHalf,
        Percentiles ms,
        Map<String, Long> answers,
        @Nullable Long lagAtEnd,
        @Nullable Long restMs,
        long heapMaxMb,
        List<Work> afterwards,
        List<Second> seconds) {

    /** Latencies in milliseconds. */
    record Percentiles(double p50, double p90, double p99, double p999, double max) {

        static Percentiles of(Histogram micros) {
            return new Percentiles(at(micros, 50), at(micros, 90), at(micros, 99), at(micros, 99.9), at(micros, 100));
        }

        private static double at(Histogram micros, double percentile) {
            return micros.getTotalCount() == 0 ? 0 : micros.getValueAtPercentile(percentile) / 1_000.0;
        }
    }

    /** One second of the run. The seconds of the warm-up are negative. */
    record Second(
            int second,
            long done,
            double p50,
            double p99,
            double max,
            long notDone,
            @Nullable Long lag,
            long heapMb) {}

    /**
     * Returns whether there was no fault. Refusals for sold-out stock, used-up chances or too many requests are none.
     */
    boolean isSound() {
        return restMs != null
                && afterwards.stream().allMatch(each -> each.failedBecause() == null)
                && answers.keySet().stream().noneMatch(LoadResult::isFault);
    }

    private static boolean isFault(String answer) {
        return !answer.startsWith("2") && !answer.startsWith("409 ") && !answer.equals("503 BUSY");
    }
}
