package lottery.bench.store;

import java.sql.SQLException;
import java.time.Duration;
import java.util.Set;

/**
 * Measures how many draws a second a PostgreSQL stores at best: bare SQL, a hundred draws to a statement, one writer.
 */
public final class BareSqlPeakBenchmark implements AutoCloseable {

    private static final Set<StoreVariantKind> BATCH = Set.of(StoreVariantKind.BATCH);
    private static final int CALLERS = 1;

    private final StoreComparison contest;

    private BareSqlPeakBenchmark(StoreComparison contest) {
        this.contest = contest;
    }

    /** Creates tables of its own there, which are gone when this is closed. */
    public static BareSqlPeakBenchmark open(String url, String user, String password) throws SQLException {
        System.setProperty("axoniq.update-checker.disabled", "true");
        return new BareSqlPeakBenchmark(
                StoreComparison.start(new BenchmarkConnectionFactory(url, user, password), BATCH));
    }

    public double drawsPerSecond(Duration time) throws SQLException {
        return contest.compare(BATCH, CALLERS, 1, time).getFirst().unitsPerSecond();
    }

    @Override
    public void close() throws SQLException {
        contest.close();
    }
}
