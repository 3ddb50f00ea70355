package lottery.bench.store;

import java.sql.SQLException;
import java.time.Duration;
import lottery.bench.store.LatencyList.Percentiles;
import lottery.bench.store.LoadGenerator.LoadOutcome;
import lottery.bench.store.PostgresStatisticsReader.WriteStatistics;
import lottery.bench.store.variant.StoreVariant;
import lottery.bench.store.variant.StoreVariantKind;

/** The figures of one contender in one round. */
record StoreRound(
        StoreVariantKind entry,
        int callers,
        long units,
        double unitsPerSecond,
        Percentiles latencyMs,
        double unitsPerCommit,
        double walBytesPerUnit,
        double syncsPerUnit) {

    static StoreRound of(StoreVariant contender, int callersAsked, Duration time, PostgresStatisticsReader server)
            throws SQLException {
        int callers = contender.entry().callers(callersAsked);
        long position = server.last(contender.table());
        WriteStatistics before = server.written();
        LoadOutcome outcome = LoadGenerator.closed(callers, time, contender::storeNext);
        WriteStatistics after = server.written();
        long units = outcome.calls() * contender.unitsPerCall();
        double commits = server.commitsAfter(contender.table(), position);
        return new StoreRound(
                contender.entry(),
                callers,
                units,
                units / outcome.seconds(),
                outcome.latency(),
                units / commits,
                (double) (after.walBytes() - before.walBytes()) / units,
                (double) (after.syncs() - before.syncs()) / units);
    }

    @Override
    public String toString() {
        return "%-6s %3d callers: %,8.0f units/s, p50 %6.2f p99 %6.2f max %7.2f ms, %5.1f units/commit, %,6.0f WAL bytes/unit"
                .formatted(
                        entry,
                        callers,
                        unitsPerSecond,
                        latencyMs.p50(),
                        latencyMs.p99(),
                        latencyMs.max(),
                        unitsPerCommit,
                        walBytesPerUnit);
    }
}
