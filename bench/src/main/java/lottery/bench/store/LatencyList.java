package lottery.bench.store;

import java.util.Arrays;
import java.util.List;

/** Records each latency exactly, not in a histogram, because a run has few enough of them. It is not thread-safe. */
final class LatencyList {

    private static final double NANOS_PER_MS = 1e6;

    private long[] nanos = new long[1 << 12];
    private int size;

    /** Latencies in milliseconds. */
    record Percentiles(double p50, double p99, double max) {}

    void add(long latencyNanos) {
        if (size == nanos.length) {
            nanos = Arrays.copyOf(nanos, 2 * size);
        }
        nanos[size++] = latencyNanos;
    }

    int size() {
        return size;
    }

    static Percentiles percentiles(List<LatencyList> all) {
        long[] sorted = all.stream()
                .flatMapToLong(each -> Arrays.stream(each.nanos, 0, each.size))
                .sorted()
                .toArray();
        return new Percentiles(at(sorted, 0.50), at(sorted, 0.99), at(sorted, 1));
    }

    private static double at(long[] sorted, double share) {
        return sorted.length == 0 ? 0 : sorted[(int) Math.ceil(share * sorted.length) - 1] / NANOS_PER_MS;
    }
}
