package lottery.bench.store;

import java.util.List;
import java.util.Map;
import lottery.bench.store.Latencies.Percentiles;
import lottery.bench.store.Load.Outcome;
import lottery.bench.store.Visibility.Seen;
import org.jspecify.annotations.Nullable;

/**
 * Everything that a run has found, as it goes into the JSON file.
 *
 * @param ours none: our store did not take part
 */
record Result(
        Map<String, String> conditions,
        List<Summary> atPeak,
        List<Summary> withFewerCallers,
        @Nullable Ours ours,
        Percentiles diskSyncMs,
        List<Verified> verified,
        List<Round> rounds) {

    /** What is asked of our store only. */
    record Ours(
            double halfRate,
            Outcome atHalf,
            CatchUp catchUpIdle,
            CatchUp catchUpLoaded,
            List<Seen> seenIdle,
            List<Seen> seenLoaded) {}

    /** What was counted after the run. */
    record Verified(Entry entry, long expected, long found, boolean withoutHole, boolean sound) {}

    boolean isSound() {
        return verified.stream().allMatch(Verified::sound);
    }
}
