package lottery.store.commit;

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
    interface RefusalLineReceiver {

        /**
         * Receives a line about a cause of refusals.
         *
         * @param units how many units were refused for this cause since its latest line
         */
        void refused(int units, SQLException cause);
    }

    private final CommitterTimeSource time;
    private final RefusalLineReceiver receiver;
    private final Map<String, LoggedCause> causes = new HashMap<>();

    CommitRefusalLog(CommitterTimeSource time) {
        this(
                time,
                (units, cause) -> LOG.error(
                        "PostgreSQL refused {} units of work, counted from the previous such line."
                                + " Their callers get an error until the cause is repaired.",
                        units,
                        cause));
    }

    CommitRefusalLog(CommitterTimeSource time, RefusalLineReceiver receiver) {
        this.time = time;
        this.receiver = receiver;
    }

    /** When a cause was last logged, and how many units were refused for it since then. */
    private static final class LoggedCause {

        private long atNanos;
        private int untold;
    }

    void refused(int units, SQLException cause) {
        long now = time.nanos();
        String state = String.valueOf(cause.getSQLState());
        boolean isNew = !causes.containsKey(state);
        LoggedCause logged = causes.computeIfAbsent(state, _ -> new LoggedCause());
        logged.untold += units;
        if (isNew || now - logged.atNanos >= PAUSE.toNanos()) {
            receiver.refused(logged.untold, cause);
            logged.untold = 0;
            logged.atNanos = now;
        }
    }
}
