package lottery.bench.store;

import java.sql.SQLException;
import java.time.Duration;
import java.util.Set;
import org.springframework.boot.logging.LogLevel;
import org.springframework.boot.logging.LoggingSystem;

/** How many draws a second a PostgreSQL stores at best: bare SQL, a hundred draws to a statement, one writer. */
public final class BatchLimit implements AutoCloseable {

    private static final Set<Entry> BATCH = Set.of(Entry.BATCH);
    private static final int CALLERS = 1;

    private final Contest contest;

    private BatchLimit(Contest contest) {
        this.contest = contest;
    }

    /** Makes tables of its own there, which are gone when this is closed. */
    public static BatchLimit open(String url, String user, String password) throws SQLException {
        System.setProperty("axoniq.update-checker.disabled", "true");
        LoggingSystem logging = LoggingSystem.get(BatchLimit.class.getClassLoader());
        logging.beforeInitialize();
        logging.setLogLevel(LoggingSystem.ROOT_LOGGER_NAME, LogLevel.WARN);
        return new BatchLimit(Contest.start(new Target(url, user, password), BATCH));
    }

    public double drawsPerSecond(Duration time) throws SQLException {
        return contest.compare(BATCH, CALLERS, 1, time).getFirst().unitsPerSecond();
    }

    @Override
    public void close() throws SQLException {
        contest.close();
    }
}
