package lottery.bench.store;

import java.sql.SQLException;
import java.time.Duration;
import java.util.Set;
import lottery.bench.store.PostgresStatisticsReader.WriteStatistics;
import lottery.bench.store.variant.BenchmarkConnectionFactory;
import lottery.bench.store.variant.StoreVariantKind;

/**
 * Measures how many draws per second PostgreSQL can store at best: one writer with bare SQL, and a hundred draws per
 * statement.
 */
public final class BareSqlPeakBenchmark implements AutoCloseable {

    private static final Set<StoreVariantKind> BATCH = Set.of(StoreVariantKind.BATCH);
    private static final int CALLERS = 1;

    private final StoreComparison contest;

    private BareSqlPeakBenchmark(StoreComparison contest) {
        this.contest = contest;
    }

    /** Opens a benchmark, and creates its own tables in the database. They are dropped when it is closed. */
    public static BareSqlPeakBenchmark open(String url, String user, String password) throws SQLException {
        System.setProperty("axoniq.update-checker.disabled", "true");
        return new BareSqlPeakBenchmark(
                StoreComparison.start(new BenchmarkConnectionFactory(url, user, password), BATCH));
    }

    public double drawsPerSecond(Duration time) throws SQLException {
        return contest.compare(BATCH, CALLERS, 1, time).getFirst().unitsPerSecond();
    }

    /**
     * The writes of PostgreSQL so far.
     *
     * @param walBytes the bytes of its write-ahead log
     */
    public record PostgresWrites(long commits, long walBytes) {}

    public PostgresWrites written() throws SQLException {
        WriteStatistics written = contest.written();
        return new PostgresWrites(written.commits(), written.walBytes());
    }

    @Override
    public void close() throws SQLException {
        contest.close();
    }
}
