package lottery.bench.store;

import java.util.List;
import java.util.Map;
import lottery.bench.store.LatencyList.Percentiles;
import lottery.bench.store.LoadGenerator.Outcome;
import lottery.bench.store.VisibilityProbe.Seen;
import org.jspecify.annotations.Nullable;

/**
 * All results of a run, as they are written to the JSON file.
 *
 * @param ours the figures of the lottery's store; null if it did not take part
 */
record StoreBenchmarkResult(
        Map<String, String> conditions,
        List<StoreVariantSummary> atPeak,
        List<StoreVariantSummary> withFewerCallers,
        @Nullable Ours ours,
        Percentiles diskSyncMs,
        List<Verified> verified,
        List<StoreRound> rounds) {

    /** The figures that are measured only for the lottery's store. */
    record Ours(
            double halfRate,
            Outcome atHalf,
            CatchUpSpeed catchUpIdle,
            CatchUpSpeed catchUpLoaded,
            List<Seen> seenIdle,
            List<Seen> seenLoaded) {}

    /** The count of a contender's events after the run. */
    record Verified(StoreVariantKind entry, long expected, long found, boolean withoutHole, boolean sound) {}

    boolean isSound() {
        return verified.stream().allMatch(Verified::sound);
    }
}
