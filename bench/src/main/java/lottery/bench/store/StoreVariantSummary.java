package lottery.bench.store;

import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;
import lottery.bench.store.variant.StoreVariantKind;

/**
 * The summary of the rounds of one contender with one number of callers. It has the median and the spread of each
 * figure.
 */
record StoreVariantSummary(
        StoreVariantKind entry,
        int callers,
        int rounds,
        double unitsPerSecond,
        double unitsPerSecondMin,
        double unitsPerSecondMax,
        double p50Ms,
        double p99Ms,
        double maxMs,
        double unitsPerCommit,
        double walBytesPerUnit,
        double syncsPerUnit) {

    static StoreVariantSummary of(List<StoreRound> rounds) {
        double[] rates = sorted(rounds, StoreRound::unitsPerSecond);
        return new StoreVariantSummary(
                rounds.getFirst().entry(),
                rounds.getFirst().callers(),
                rounds.size(),
                median(rounds, StoreRound::unitsPerSecond),
                rates[0],
                rates[rates.length - 1],
                median(rounds, round -> round.latencyMs().p50()),
                median(rounds, round -> round.latencyMs().p99()),
                median(rounds, round -> round.latencyMs().max()),
                median(rounds, StoreRound::unitsPerCommit),
                median(rounds, StoreRound::walBytesPerUnit),
                median(rounds, StoreRound::syncsPerUnit));
    }

    private static double median(List<StoreRound> rounds, ToDoubleFunction<StoreRound> figure) {
        double[] sorted = sorted(rounds, figure);
        int half = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
    }

    private static double[] sorted(List<StoreRound> rounds, ToDoubleFunction<StoreRound> figure) {
        double[] sorted = rounds.stream().mapToDouble(figure).toArray();
        Arrays.sort(sorted);
        return sorted;
    }
}
