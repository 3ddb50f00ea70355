package lottery.store.log;

import java.time.Duration;
import java.util.List;
import lottery.store.loop.BackgroundLoop;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Follows logs that move to other databases while the application runs. The home log says where they are. While a log
 * is closed, because its last changes are being copied, this process does not use it.
 */
final class LogPlaces implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(LogPlaces.class);

    /** A closed log waits for processes that have not noticed, so they ask often. */
    private static final Duration PAUSE = Duration.ofMillis(500);

    private static final String IS_THERE = """
            SELECT EXISTS (SELECT FROM pg_namespace
                           WHERE nspname = ? AND obj_description(oid, 'pg_namespace') IS DISTINCT FROM 'incomplete copy')""";

    private record Place(int log, @Nullable String url, boolean isClosed) {}

    private final Logs logs;
    private final BackgroundLoop loop = new BackgroundLoop(
            "log-places",
            PAUSE,
            this::follow,
            "The home log does not say where the other logs are: {}. A log that moves is not followed until it does.");

    LogPlaces(Logs logs) {
        this.logs = logs;
    }

    /**
     * Finds each log that has moved, before anything uses it.
     *
     * @throws IllegalStateException if a log is closed, or if it is not where it should be
     */
    static void find(Logs logs) {
        for (Place place : stored(logs)) {
            Log log = logs.all().get(place.log());
            if (place.isClosed()) {
                throw new IllegalStateException(
                        log + " is just being moved to another database. Start again when it has moved.");
            }
            find(log, log.guarded().orElseThrow(), place.url());
        }
    }

    private static void find(Log log, LogPool pool, @Nullable String url) {
        String configured = pool.address();
        if (url != null) {
            pool.moveTo(url);
        }
        if (!isThere(log)) {
            throw new IllegalStateException(
                    url == null
                            ? "%s is not complete in the database of LOTTERY_LOG_%s_URL.".formatted(log, log.name())
                            : "%s is not at %s, to which it has moved. If it has another address now, stop all processes, and delete its row in the table log_place: then LOTTERY_LOG_%s_URL counts."
                                    .formatted(log, url, log.name()));
        }
        if (!configured.equals(pool.address())) {
            LOG.warn("{} has moved. Set LOTTERY_LOG_{}_URL to {}.", log, log.name(), url);
        }
    }

    private static boolean isThere(Log log) {
        try {
            return Boolean.TRUE.equals(JdbcClient.create(log.unguardedPool())
                    .sql(IS_THERE)
                    .param(Log.schemaOf(log.number()))
                    .query(Boolean.class)
                    .single());
        } catch (DataAccessException e) {
            LOG.debug("{} was not found.", log, e);
            return false;
        }
    }

    /** Returns the stored places. A program that migrates nothing may meet a database of an earlier release. */
    private static List<Place> stored(Logs logs) {
        JdbcClient home = logs.home().sqlApart();
        if (logs.all().size() == 1
                || !Boolean.TRUE.equals(home.sql("SELECT to_regclass('log_place') IS NOT NULL")
                        .query(Boolean.class)
                        .single())) {
            return List.of();
        }
        return home.sql("SELECT log, url, closed FROM log_place WHERE log < ? ORDER BY log")
                .param(logs.all().size())
                .query((row, _) -> new Place(row.getInt(1), row.getString(2), row.getBoolean(3)))
                .list();
    }

    void start() {
        if (logs.all().size() > 1) {
            loop.start();
        }
    }

    private void follow() {
        for (Place place : stored(logs)) {
            Log log = logs.all().get(place.log());
            LogPool pool = log.guarded().orElseThrow();
            if (place.isClosed() && !pool.isMoving()) {
                LOG.info("{} is closed, and moves to another database.", log);
            }
            String url = place.url();
            if (!place.isClosed() && url != null && !pool.isFollowing(url)) {
                LOG.warn("{} has moved to {}. Set LOTTERY_LOG_{}_URL for the next start.", log, url, log.name());
                pool.moveTo(url);
            }
            pool.moves(place.isClosed());
        }
    }

    @Override
    public void close() {
        loop.close();
    }
}
