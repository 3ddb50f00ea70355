package lottery.bench.store;

import java.sql.SQLException;
import java.time.Duration;
import java.util.Set;

/**
 * Measures how many draws a second a PostgreSQL stores at best: bare SQL, a hundred draws to a statement, one writer.
 */
public final class BatchLimit implements AutoCloseable {

    private static final Set<StoreEntry> BATCH = Set.of(StoreEntry.BATCH);
    private static final int CALLERS = 1;

    private final StoreComparison contest;

    private BatchLimit(StoreComparison contest) {
        this.contest = contest;
    }

    /** Creates tables of its own there, which are gone when this is closed. */
    public static BatchLimit open(String url, String user, String password) throws SQLException {
        System.setProperty("axoniq.update-checker.disabled", "true");
        return new BatchLimit(StoreComparison.start(new MeasuredDatabase(url, user, password), BATCH));
    }

    public double drawsPerSecond(Duration time) throws SQLException {
        return contest.compare(BATCH, CALLERS, 1, time).getFirst().unitsPerSecond();
    }

    @Override
    public void close() throws SQLException {
        contest.close();
    }
}
