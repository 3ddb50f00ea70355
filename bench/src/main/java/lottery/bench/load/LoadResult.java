package lottery.bench.load;

import java.util.List;
import java.util.Map;
import lottery.bench.load.AfterLoadTask.TaskResult;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * The result of a run, as it is written to the files.
 *
 * @param done the number of done requests, including requests that were answered after the end
 * @param donePerSecond requests done per second until the end of the measurement; at a fixed rate, until the last due
 *     request is answered
 * @param doneHalf requests done per second in the first and in the second half of the measurement; a lower second value
 *     means that work piles up
 * @param lagAtEnd how many events the slowest processor was behind when the last request was answered; null: unknown
 * @param restMs the time until every processor had handled all events and no new events came; null: longer than the
 *     wait, or unknown
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
        List<TaskResult> afterwards,
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

    /**
     * One second of the run. The seconds of the warm-up are negative.
     *
     * @param done requests done per second, by the time that has really passed
     */
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
     * Returns whether the run had no fault. Refusals for sold-out stock, used-up chances or too many requests are no
     * faults.
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
