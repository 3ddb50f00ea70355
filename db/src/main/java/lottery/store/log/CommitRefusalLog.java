package lottery.store.log;

import java.sql.SQLException;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs why PostgreSQL refuses units of work: each cause at once, and again after ten seconds. A full disk refuses all
 * that come. It is for one thread.
 */
final class CommitRefusalLog {

    private static final Logger LOG = LoggerFactory.getLogger(CommitRefusalLog.class);
    private static final Duration PAUSE = Duration.ofSeconds(10);

    /** Takes each line. */
    interface Lines {

        /**
         * Takes a line about a refusal.
         *
         * @param units how many were refused since the latest line
         */
        void refused(int units, SQLException cause);
    }

    private final CommitterTimer time;
    private final Lines lines;
    private String toldCause = "";
    private long toldAtNanos;
    private int untold;

    CommitRefusalLog(CommitterTimer time) {
        this(
                time,
                (units, cause) ->
                        LOG.error("PostgreSQL refused {} units of work since it was last said", units, cause));
    }

    CommitRefusalLog(CommitterTimer time, Lines lines) {
        this.time = time;
        this.lines = lines;
    }

    void refused(int units, SQLException cause) {
        untold += units;
        String state = String.valueOf(cause.getSQLState());
        long now = time.nanos();
        if (!state.equals(toldCause) || now - toldAtNanos >= PAUSE.toNanos()) {
            lines.refused(untold, cause);
            untold = 0;
            toldCause = state;
            toldAtNanos = now;
        }
    }
}
