package lottery.bench.store;

import java.util.List;
import java.util.Map;
import lottery.bench.store.LatencyList.Percentiles;
import lottery.bench.store.LoadGenerator.LoadOutcome;
import lottery.bench.store.VisibilityProbe.PingVisibility;
import lottery.bench.store.variant.StoreVariantKind;
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
        @Nullable LotteryStoreFigures ours,
        Percentiles diskSyncMs,
        List<VerifiedCount> verified,
        List<StoreRound> rounds) {

    /** The figures that are measured only for the lottery's store. */
    record LotteryStoreFigures(
            double halfRate,
            LoadOutcome atHalf,
            CatchUpSpeed catchUpIdle,
            CatchUpSpeed catchUpLoaded,
            List<PingVisibility> seenIdle,
            List<PingVisibility> seenLoaded) {}

    /** The count of a contender's events after the run. */
    record VerifiedCount(StoreVariantKind entry, long expected, long found, boolean withoutHole, boolean sound) {}

    boolean isSound() {
        return verified.stream().allMatch(VerifiedCount::sound);
    }
}
