package lottery.bench.load;

import java.util.List;
import java.util.Map;
import lottery.bench.load.FollowUp.Work;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * The result of a run, as it is written down.
 *
 * @param done requests, with those that were answered after the end
 * @param donePerSecond until the end of the measurement; at a fixed rate until the last that was due is answered
 * @param doneHalf requests done a second in the first half of the measurement, and in the second: less means that
 *     something piles up
 * @param lagAtEnd events that the slowest processor had not seen when the last request was answered; null: not known
 * @param restMs how long it took until every processor had seen all and nothing came any more; null: longer than
 *     anybody waited, or not known
 * @param afterwards what was done with all that was drawn, then
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

    /** In milliseconds. */
    record Percentiles(double p50, double p90, double p99, double p999, double max) {

        static Percentiles of(Histogram micros) {
            return new Percentiles(at(micros, 50), at(micros, 90), at(micros, 99), at(micros, 99.9), at(micros, 100));
        }

        private static double at(Histogram micros, double percentile) {
            return micros.getTotalCount() == 0 ? 0 : micros.getValueAtPercentile(percentile) / 1_000.0;
        }
    }

    /** One second of the run, warm-up included, whose seconds are negative. */
    record Second(
            int second,
            long done,
            double p50,
            double p99,
            double max,
            long notDone,
            @Nullable Long lag,
            long heapMb) {}

    /** Refusals for what is sold out, for chances that are used up, or because too much is asked, are no faults. */
    boolean isSound() {
        return restMs != null
                && afterwards.stream().allMatch(each -> each.failedBecause() == null)
                && answers.keySet().stream().noneMatch(LoadResult::isFault);
    }

    private static boolean isFault(String answer) {
        return !answer.startsWith("2") && !answer.startsWith("409 ") && !answer.equals("503 BUSY");
    }
}
