package lottery.store.move;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import lottery.store.log.Log;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Moves a log to another PostgreSQL server, while the lottery runs. PostgreSQL's logical replication copies its tables
 * and follows their changes. At the end the log is closed for some seconds, until the last changes have arrived.
 *
 * <p>The home log knows the state ({@code log_place}), and each step can be repeated. So a move that was interrupted
 * goes on when it is started again. After the last step no process can write to the old tables, because their schema
 * has another name.
 */
public final class LogMove {

    /** How long processes may take to notice that a log is closed. They ask twice a second. */
    private static final Duration NOTICED_MAX = Duration.ofSeconds(2);

    /** How long a copy that follows closely may need for what was just written. */
    private static final Duration CLOSELY_MAX = Duration.ofSeconds(2);

    /** How long the last changes may take. All before them were copied while the log was open. */
    private static final Duration LAST_CHANGES_MAX = Duration.ofMinutes(1);

    private static final Duration POLL = Duration.ofMillis(200);
    private static final int FENCE_ATTEMPTS_MAX = 10;

    private final int log;
    private final String title;
    private final OwnedDatabase home;
    private final JdbcClient places;
    private final OwnedDatabase configured;
    private final OwnedDatabase target;
    private final String applicationRole;
    private final Consumer<String> progress;

    /**
     * @param url where the log is, if it has moved before
     * @param target where it moves
     */
    private record Place(@Nullable String url, @Nullable String target) {}

    /**
     * @param home the database of the home log
     * @param configured the database of the log by the settings; if it has moved before, the home log knows better
     * @param applicationRole the role that the lottery runs as in the target
     * @param progress gets a line for each step
     */
    public LogMove(
            int log,
            OwnedDatabase home,
            OwnedDatabase configured,
            OwnedDatabase target,
            String applicationRole,
            Consumer<String> progress) {
        if (log == 0) {
            throw new LogMoveRefusedException(
                    "Log 00 is the home log, which is where LOTTERY_POSTGRES_URL says. It is not moved like this.");
        }
        this.log = log;
        this.title = "log " + Log.nameOf(log);
        this.home = home;
        this.places = home.sql();
        this.configured = configured;
        this.target = target;
        this.applicationRole = applicationRole;
        this.progress = progress;
    }

    /**
     * Moves the log, or goes on with it.
     *
     * @throws LogMoveRefusedException if the log cannot be moved, or not now
     */
    public void move() {
        alone(place -> {
            if (target.url().equals(place.url()) && place.target() == null) {
                progress.accept("%s is at %s already.".formatted(title, target.url()));
                return;
            }
            requireTarget(place);
            SchemaCopy copy = copy(place);
            if (!copy.isFenced()) {
                copyWhileOpen(copy);
                progress.accept("Closing %s: its users are told to come again.".formatted(title));
                noteClosed(true);
                LockSupport.parkNanos(NOTICED_MAX.toNanos());
                fence(copy);
            }
            progress.accept("Nobody can write to the old tables any more. Waiting for the last changes.");
            awaitEnd(copy);
            copy.complete();
            progress.accept("Opening %s.".formatted(title));
            open();
            progress.accept(
                    "%s has moved to %s. The old tables are in the schema %s of %s; drop it when you have a new backup."
                            .formatted(title, target.url(), copy.fenced(), copy.source()));
        });
    }

    private SchemaCopy copy(Place place) {
        OwnedDatabase source = place.url() == null
                ? configured
                : new OwnedDatabase(place.url(), configured.owner(), configured.password());
        return new SchemaCopy(log, source, target);
    }

    private void copyWhileOpen(SchemaCopy copy) {
        copy.requirePossible();
        places.sql("""
                        INSERT INTO log_place (log, target) VALUES (?, ?)
                        ON CONFLICT (log) DO UPDATE SET target = excluded.target""").params(log, target.url()).update();
        copy.createTables(applicationRole);
        progress.accept("Copying %s to %s.".formatted(title, target.url()));
        copy.begin();
        awaitCopy(copy);
        copy.analyze();
    }

    private void requireTarget(Place place) {
        if (place.target() != null && !place.target().equals(target.url())) {
            throw new LogMoveRefusedException(
                    "%s is being moved to %s. Finish that move, or cancel it.".formatted(title, place.target()));
        }
    }

    /** Waits until all tables are copied, and the copy follows closely. */
    private void awaitCopy(SchemaCopy copy) {
        boolean isReady = false;
        while (!isReady) {
            String end = copy.end();
            boolean isClose = isReached(copy, end, CLOSELY_MAX);
            SchemaCopy.Progress state = copy.progress();
            progress.accept(state.text());
            isReady = isClose && state.isInitialCopyDone();
            if (!isReady) {
                LockSupport.parkNanos(CLOSELY_MAX.toNanos());
            }
        }
    }

    /** Waits until the copy has what its source had at a place in the journal. Returns false if that takes too long. */
    private static boolean isReached(SchemaCopy copy, String end, Duration max) {
        long endNanos = System.nanoTime() + max.toNanos();
        while (!copy.hasReached(end)) {
            if (System.nanoTime() > endNanos) {
                return false;
            }
            LockSupport.parkNanos(POLL.toNanos());
        }
        return true;
    }

    private void noteClosed(boolean isClosed) {
        places.sql("UPDATE log_place SET closed = ? WHERE log = ?")
                .params(isClosed, log)
                .update();
    }

    private void fence(SchemaCopy copy) {
        try {
            for (int attempt = 1; !copy.fence(); attempt++) {
                if (attempt == FENCE_ATTEMPTS_MAX) {
                    throw new LogMoveRefusedException(
                            "A transaction writes to %s and does not end. End it, and repeat the command."
                                    .formatted(title));
                }
            }
        } catch (LogMoveRefusedException refused) {
            // The connection may have been lost although the schema was renamed.
            if (!copy.isFenced()) {
                noteClosed(false);
            }
            throw refused;
        }
    }

    /** Waits for the last changes, and ends the replication. If it is ending already, they were here. */
    private void awaitEnd(SchemaCopy copy) {
        if (copy.isFollowing() && !isReached(copy, copy.end(), LAST_CHANGES_MAX)) {
            throw new LogMoveRefusedException(
                    "The last changes have not arrived. %s stays closed. Repeat the command, or cancel the move."
                            .formatted(title));
        }
        copy.requireEqual();
        copy.stop();
    }

    private void open() {
        int opened = places.sql(
                        "UPDATE log_place SET url = target, target = NULL, closed = false WHERE log = ? AND target = ?")
                .params(log, target.url())
                .update();
        if (opened == 0) {
            throw new LogMoveRefusedException("The move of %s was cancelled meanwhile.".formatted(title));
        }
    }

    /**
     * Leaves the log where it is, and opens it if it was closed.
     *
     * @throws LogMoveRefusedException if the log is not being moved to the target
     */
    public void cancel() {
        alone(place -> {
            if (place.target() == null) {
                throw new LogMoveRefusedException("%s is not being moved.".formatted(title));
            }
            requireTarget(place);
            SchemaCopy copy = copy(place);
            copy.unfence();
            noteClosed(false);
            progress.accept("%s is open where it was.".formatted(title));
            boolean isDropped = copy.drop();
            places.sql("UPDATE log_place SET target = NULL WHERE log = ?")
                    .param(log)
                    .update();
            progress.accept(
                    isDropped
                            ? "The move is cancelled."
                            : "The move is cancelled. The new server cannot be reached, and may have an incomplete copy.");
        });
    }

    /** Does something while no other process moves the log. The lock ends with its connection. */
    private void alone(Consumer<Place> work) {
        try (Connection connection = home.connections().getConnection();
                PreparedStatement lock =
                        connection.prepareStatement("SELECT pg_try_advisory_lock(hashtextextended(?, 0))")) {
            lock.setString(1, "move " + title);
            try (ResultSet row = lock.executeQuery()) {
                row.next();
                if (!row.getBoolean(1)) {
                    throw new LogMoveRefusedException("Another command moves %s just now.".formatted(title));
                }
            }
            work.accept(places.sql("SELECT url, target FROM log_place WHERE log = ?")
                    .param(log)
                    .query((row, _) -> new Place(row.getString(1), row.getString(2)))
                    .optional()
                    .orElse(new Place(null, null)));
        } catch (SQLException e) {
            throw new LogMoveRefusedException("The home log cannot be reached: %s".formatted(e.getMessage()));
        }
    }
}
