package lottery.store.projection;

import java.sql.SQLException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import lottery.store.axon.HistoryReader;
import lottery.store.axon.UnknownEventException;
import lottery.store.log.Log;
import lottery.store.loop.BackgroundLoop;
import org.axonframework.eventhandling.EventMessageHandler;
import org.axonframework.eventhandling.TrackedEventMessage;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionOperations;

/**
 * Builds one read model a second time, from the first event on, while the old one can be read and its processor
 * continues. When the new one has caught up, it replaces the old one in one transaction. During that transaction the
 * processor cannot write. A read model that does not follow its processor yet joins it in that transaction.
 *
 * <p>The writes of each range of events and the new position of the replay are one transaction. After a crash, a replay
 * therefore continues after the last complete range. A replay only reads the processor's token and does not move it.
 */
final class ReadModelReplay {

    /**
     * The size of a range of events that is read, handled and written as a whole. It fits into memory, and the commit
     * costs little compared with the events.
     */
    private static final int STRETCH_POSITIONS = 10_000;

    /**
     * How many events may be left for the last transaction. Everything else that uses the table has to wait for that
     * transaction.
     */
    private static final int LAST_STEP_MAX = 500;

    private static final int READ_MAX_SECONDS = 60;

    /** How long the replay waits for the lock of the old table. Meanwhile all queries of that table wait behind it. */
    private static final int SWITCH_WAIT_MS = 100;

    /**
     * A longer wait that is used now and then, because autovacuum only gives way to a transaction that has waited for
     * more than a second.
     */
    private static final int SWITCH_WAIT_MAX_MS = 1_500;

    private static final int PATIENT_ONE_OF = 10;

    /**
     * The first pause between attempts to replace the table. The pauses grow, so that a table on which a query runs for
     * hours is not blocked most of the time.
     */
    private static final int SWITCH_PAUSE_MS = 200;

    private static final int SWITCH_PAUSE_MAX_MS = 30_000;

    /** SQL states of a lock timeout and of a deadlock. */
    private static final Set<String> IN_USE = Set.of("55P03", "40P01");

    private static final String DROPPED = """
            SELECT position FROM parked_event
            WHERE processor = ? AND dropped_because IS NOT NULL AND position > ? AND position <= ?""";

    private static final String PARKED_NO_MORE =
            "DELETE FROM parked_event WHERE processor = ? AND dropped_because IS NULL AND position <= ?";

    private static final String TOKEN = """
            SELECT CASE jsonb_typeof(token) WHEN 'number' THEN token::bigint ELSE (token ->> 'at')::bigint END
            FROM token WHERE processor = ?""";

    /**
     * A read model to rebuild.
     *
     * @param name the name of its processing group
     * @param processor the processor that it follows the log with
     * @param unwanted names of events that none of its handlers handles
     * @param replaced runs when the new tables have replaced the old ones
     */
    record ReplayableReadModel(
            String name,
            String processor,
            List<ShadowTable> tables,
            List<? extends EventMessageHandler> handlers,
            Set<String> unwanted,
            Runnable replaced) {}

    private static final Executor READERS =
            read -> Thread.ofVirtual().name("replay-reader").start(read);

    private final Log place;
    private final ReplayableReadModel readModel;
    private final HistoryReader history;
    private final JdbcClient database;
    private final TransactionOperations transactions;
    private final ReplayTable replays;
    private final BackgroundLoop loop;
    private final ReplayRowCache remembered = new ReplayRowCache();

    ReadModelReplay(
            Log place,
            ReplayableReadModel readModel,
            HistoryReader history,
            JdbcClient database,
            TransactionOperations transactions,
            ReplayTable replays,
            BackgroundLoop loop) {
        this.place = place;
        this.readModel = readModel;
        this.history = history;
        this.database = database;
        this.transactions = transactions;
        this.replays = replays;
        this.loop = loop;
    }

    /** Continues after this position, until the read model is replaced or this process stops. */
    void run(long position) throws InterruptedException {
        long reached = position;
        boolean analyzed = false;
        for (int attempt = 1; goesOn(); ) {
            if (isUseless(reached)) {
                remembered.forget();
                reached = 0;
                analyzed = false;
            }
            reached = catchUp(reached);
            if (!goesOn()) {
                return;
            }
            if (!analyzed) {
                readModel.tables().forEach(table -> table.analyze(database));
                analyzed = true;
            } else if (replace(reached, attempt % PATIENT_ONE_OF == 0 ? SWITCH_WAIT_MAX_MS : SWITCH_WAIT_MS)) {
                return;
            } else {
                loop.pause(Duration.ofMillis(Math.min(attempt * SWITCH_PAUSE_MS, SWITCH_PAUSE_MAX_MS)));
                attempt++;
            }
        }
    }

    private boolean goesOn() {
        return !loop.isStopping();
    }

    /**
     * Returns whether a newer version of the application has altered a table meanwhile. The new tables are then
     * useless, and are created again.
     */
    private boolean isUseless(long reached) {
        return Boolean.TRUE.equals(transactions.execute(transaction -> {
            boolean useless = readModel.tables().stream().anyMatch(table -> !table.isAlike(database));
            if (useless) {
                readModel.tables().forEach(table -> table.create(database));
            }
            replays.moveTo(reached, useless ? 0 : reached, readModel.name());
            return useless;
        }));
    }

    /**
     * Fills the new tables until few events are left, and returns the position that they have reached. While one range
     * is written, the next one is read and projected.
     */
    private long catchUp(long position) throws InterruptedException {
        long reached = position;
        long head = goal();
        if (head <= reached) {
            return reached;
        }
        CompletableFuture<ReplayedRange> next = read(reached, head);
        while (goesOn()) {
            ReplayedRange range = await(next);
            long from = reached;
            reached = range.upTo();
            head = reached + STRETCH_POSITIONS <= head ? head : goal();
            boolean last = head - reached <= LAST_STEP_MAX;
            if (!last) {
                next = read(reached, head);
            }
            write(range, from);
            if (last) {
                return reached;
            }
        }
        return reached;
    }

    /**
     * Returns the position to build up to, which is never beyond the processor's token. After the replacement the
     * processor continues from its token. If the new tables contained later events, the processor would handle them a
     * second time.
     */
    private long goal() {
        return Math.min(history.head(), token("").orElse(0L));
    }

    private Optional<Long> token(String locking) {
        return database.sql(TOKEN + locking)
                .param(readModel.processor())
                .query((row, i) -> row.getLong(1))
                .optional();
    }

    /** A range of the log and its changes, which are not written yet. */
    private record ReplayedRange(ReplayBatch rebuilding, long upTo) {}

    private CompletableFuture<ReplayedRange> read(long position, long head) {
        return CompletableFuture.supplyAsync(() -> place.call(() -> readNow(position, head)), READERS);
    }

    private ReplayedRange readNow(long position, long head) {
        long upTo = Math.min(position + STRETCH_POSITIONS, head);
        List<TrackedEventMessage<?>> events = history.between(position, upTo, readModel.unwanted());
        Set<Long> dropped = droppedBetween(position, upTo);
        List<TrackedEventMessage<?>> kept = dropped.isEmpty() ? events : without(dropped, events);
        kept.forEach(UnknownEventException::requireKnown);
        return new ReplayedRange(ReplayBatch.of(kept, readModel.handlers()), upTo);
    }

    /** Returns the positions of the events that an operator has dropped. A replay leaves these events out as well. */
    private Set<Long> droppedBetween(long position, long upTo) {
        return new HashSet<>(database.sql(DROPPED)
                .params(readModel.name(), position, upTo)
                .query((row, i) -> row.getLong(1))
                .list());
    }

    private static List<TrackedEventMessage<?>> without(Set<Long> dropped, List<TrackedEventMessage<?>> events) {
        return events.stream()
                .<TrackedEventMessage<?>>map(event -> event)
                .filter(event ->
                        !dropped.contains(event.trackingToken().position().orElseThrow()))
                .toList();
    }

    private static ReplayedRange await(CompletableFuture<ReplayedRange> range) throws InterruptedException {
        try {
            return range.get(READ_MAX_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(e);
        } catch (TimeoutException e) {
            throw new IllegalStateException("the log is not to be read within %d s".formatted(READ_MAX_SECONDS), e);
        }
    }

    private void write(ReplayedRange range, long from) {
        transactions.executeWithoutResult(transaction -> {
            // The commit need not wait for the disk: a crash may undo the last ranges, but it undoes their positions as
            // well.
            database.sql("SET LOCAL synchronous_commit = off").update();
            range.rebuilding().write(remembered);
            replays.moveTo(from, range.upTo(), readModel.name());
        });
    }

    /**
     * Replaces the old tables with the new ones. Returns false if the tables were not replaced, for example because
     * another transaction used the old tables for too long.
     */
    private boolean replace(long reached, int waitMs) {
        return Boolean.TRUE.equals(transactions.execute(transaction -> {
            database.sql("SET LOCAL lock_timeout = " + waitMs).update();
            try {
                return replaceNow(reached);
            } catch (DataAccessException e) {
                if (!isInUse(e)) {
                    throw e;
                }
                transaction.setRollbackOnly();
                // The rows of the last step are not in the new tables now.
                remembered.forget();
                return false;
            }
        }));
    }

    private static boolean isInUse(DataAccessException e) {
        return e.getRootCause() instanceof SQLException refused && IN_USE.contains(refused.getSQLState());
    }

    /**
     * Locks the old tables, then the token, and replaces the tables. Then it removes the parked events. The processor
     * also locks the tables before the token, so there is no deadlock.
     */
    private boolean replaceNow(long reached) {
        readModel
                .tables()
                .forEach(table -> database.sql("LOCK TABLE " + table.name() + " IN ACCESS EXCLUSIVE MODE")
                        .update());
        // The processor has written all events up to its token, and cannot write now. A processor without a token would
        // begin with the oldest event, so nothing is replaced then.
        long token = token(" FOR UPDATE").orElse(Long.MIN_VALUE);
        if (token < reached
                || token - reached > 2 * LAST_STEP_MAX
                || !readModel.tables().stream().allMatch(table -> table.isAlike(database))) {
            return false;
        }
        if (token > reached) {
            readNow(reached, token).rebuilding().write(remembered);
        }
        readModel.tables().forEach(table -> table.replace(database));
        readModel.replaced().run();
        endParking(token);
        replays.join(readModel.name(), readModel.processor());
        replays.end(reached, readModel.name());
        return true;
    }

    /**
     * Removes the parked events up to the token. The replay has handled them, so the new tables contain their changes,
     * whatever had made them fail before.
     */
    private void endParking(long token) {
        database.sql(PARKED_NO_MORE).params(readModel.name(), token).update();
    }
}
