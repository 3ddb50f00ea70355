package lottery.store.log;

import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs why PostgreSQL refuses units of work. A cause is logged at once, and then at most every ten seconds, because a
 * cause such as a full disk makes PostgreSQL refuse every unit. The class is not thread-safe.
 */
final class CommitRefusalLog {

    private static final Logger LOG = LoggerFactory.getLogger(CommitRefusalLog.class);
    private static final Duration PAUSE = Duration.ofSeconds(10);

    /** Receives the lines for the application's log. */
    interface Lines {

        /**
         * Receives a line about a cause of refusals.
         *
         * @param units how many units were refused for this cause since its latest line
         */
        void refused(int units, SQLException cause);
    }

    private final CommitterTimeSource time;
    private final Lines lines;
    private final Map<String, Told> causes = new HashMap<>();

    CommitRefusalLog(CommitterTimeSource time) {
        this(
                time,
                (units, cause) -> LOG.error(
                        "PostgreSQL refused {} units of work, counted from the previous such line."
                                + " Their callers get an error until the cause is repaired.",
                        units,
                        cause));
    }

    CommitRefusalLog(CommitterTimeSource time, Lines lines) {
        this.time = time;
        this.lines = lines;
    }

    /** When a cause was last logged, and how many units were refused for it since then. */
    private static final class Told {

        private long atNanos;
        private int untold;
    }

    void refused(int units, SQLException cause) {
        long now = time.nanos();
        String state = String.valueOf(cause.getSQLState());
        boolean isNew = !causes.containsKey(state);
        Told told = causes.computeIfAbsent(state, _ -> new Told());
        told.untold += units;
        if (isNew || now - told.atNanos >= PAUSE.toNanos()) {
            lines.refused(told.untold, cause);
            told.untold = 0;
            told.atNanos = now;
        }
    }
}
