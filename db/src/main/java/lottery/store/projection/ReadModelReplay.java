package lottery.store.projection;

import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import lottery.store.log.HistoryReader;
import org.axonframework.eventhandling.EventMessageHandler;
import org.axonframework.eventhandling.TrackedEventMessage;
import org.axonframework.serialization.UnknownSerializedType;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionOperations;

/**
 * One read model built a second time, from the first event on, while the old one is read and goes on. When the new one
 * has caught up, it takes the old one's place in one transaction that the old one's processor cannot write in.
 *
 * <p>Each stretch of events is one transaction with the position that it leads to, so that whoever goes on after a
 * crash begins with whole stretches. Nothing has to be known of the processor but its token: it stays where it is.
 */
final class ReadModelReplay {

    /** Each stretch is read, handled and written as one: it fits into memory, and its commit costs little beside it. */
    private static final int STRETCH_POSITIONS = 10_000;

    /** So few are left for the transaction that everybody has to wait for. */
    private static final int LAST_STEP_MAX = 500;

    private static final int READ_MAX_SECONDS = 60;

    /** Whoever asks the old table waits behind the one who wants to replace it: for so long at most. */
    private static final int SWITCH_WAIT_MS = 100;

    /** What only tidies a table up gives way to those who wait for longer than a second. */
    private static final int SWITCH_WAIT_MAX_MS = 1_500;

    private static final int PATIENT_ONE_OF = 10;

    /** It grows: a table that somebody reads for hours is not to be blocked for most of them. */
    private static final int SWITCH_PAUSE_MS = 200;

    private static final int SWITCH_PAUSE_MAX_MS = 30_000;

    /** A lock that was not given in time, or would have closed a circle. */
    private static final Set<String> IN_USE = Set.of("55P03", "40P01");

    private static final String DROPPED = """
            SELECT position FROM parked_event
            WHERE processor = ? AND dropped_because IS NOT NULL AND position > ? AND position <= ?""";

    private static final String PARKED = """
            SELECT type, min(position) AS position FROM parked_event JOIN event USING (position)
            WHERE processor = ? AND dropped_because IS NULL AND position <= ? GROUP BY type""";

    private static final String PARKED_NO_MORE =
            "DELETE FROM parked_event WHERE processor = ? AND dropped_because IS NULL AND position <= ?";

    private static final String TOKEN = """
            SELECT CASE jsonb_typeof(token) WHEN 'number' THEN token::bigint ELSE (token ->> 'at')::bigint END
            FROM token WHERE processor = ?""";

    /**
     * What is built anew.
     *
     * @param unwanted names of events that none of them handles
     * @param replaced what else is done when the new tables have taken the old ones' places
     */
    record Subject(
            String processor,
            List<ShadowTable> tables,
            List<? extends EventMessageHandler> handlers,
            Set<String> unwanted,
            Runnable replaced) {}

    private final Subject subject;
    private final HistoryReader history;
    private final JdbcClient database;
    private final TransactionOperations transactions;
    private final ReplayTable replays;
    private final CountDownLatch stopping;
    private final ReplayRowCache remembered = new ReplayRowCache();

    ReadModelReplay(
            Subject subject,
            HistoryReader history,
            JdbcClient database,
            TransactionOperations transactions,
            ReplayTable replays,
            CountDownLatch stopping) {
        this.subject = subject;
        this.history = history;
        this.database = database;
        this.transactions = transactions;
        this.replays = replays;
        this.stopping = stopping;
    }

    /** Goes on after this position, to the end or until this process stops. */
    void run(long position, Executor reading) throws InterruptedException {
        long reached = position;
        boolean analyzed = false;
        for (int attempt = 1; goesOn(); ) {
            if (isUseless(reached)) {
                remembered.forget();
                reached = 0;
                analyzed = false;
            }
            reached = catchUp(reached, reading);
            if (!goesOn()) {
                return;
            }
            if (!analyzed) {
                subject.tables()
                        .forEach(
                                table -> database.sql("ANALYZE " + table.next()).update());
                analyzed = true;
            } else if (replace(reached, attempt % PATIENT_ONE_OF == 0 ? SWITCH_WAIT_MAX_MS : SWITCH_WAIT_MS)) {
                return;
            } else {
                pause(Math.min(attempt * SWITCH_PAUSE_MS, SWITCH_PAUSE_MAX_MS));
                attempt++;
            }
        }
    }

    private boolean goesOn() {
        return stopping.getCount() > 0;
    }

    private void pause(int millis) throws InterruptedException {
        var _ = stopping.await(millis, TimeUnit.MILLISECONDS);
    }

    /** If a newer version has altered a table in the middle, what was built so far is of no use, and begun again. */
    private boolean isUseless(long reached) {
        return Boolean.TRUE.equals(transactions.execute(transaction -> {
            boolean useless = subject.tables().stream().anyMatch(table -> !table.isAlike(database));
            if (useless) {
                subject.tables().forEach(table -> table.create(database));
            }
            replays.moveTo(reached, useless ? 0 : reached, subject.processor());
            return useless;
        }));
    }

    /** Builds until little is left; while one stretch is written, the next one is read and projected. */
    private long catchUp(long position, Executor reading) throws InterruptedException {
        long reached = position;
        long head = goal();
        if (head <= reached) {
            return reached;
        }
        CompletableFuture<Part> next = read(reached, head, reading);
        while (goesOn()) {
            Part part = await(next);
            long from = reached;
            reached = part.upTo();
            head = reached + STRETCH_POSITIONS <= head ? head : goal();
            boolean last = head - reached <= LAST_STEP_MAX;
            if (!last) {
                next = read(reached, head, reading);
            }
            write(part, from);
            if (last) {
                return reached;
            }
        }
        return reached;
    }

    /**
     * No further than the processor: it goes on from its token when the tables are other ones, and would handle again
     * what was built beyond that.
     */
    private long goal() {
        return Math.min(history.head(), token("").orElse(0L));
    }

    private Optional<Long> token(String locking) {
        return database.sql(TOKEN + locking)
                .param(subject.processor())
                .query((row, i) -> row.getLong(1))
                .optional();
    }

    /** A stretch of the log, and what it makes of rows: nothing of it is written yet. */
    private record Part(ReplayBatch rebuilding, long upTo) {}

    private CompletableFuture<Part> read(long position, long head, Executor reading) {
        return CompletableFuture.supplyAsync(() -> readNow(position, head), reading);
    }

    private Part readNow(long position, long head) {
        long upTo = Math.min(position + STRETCH_POSITIONS, head);
        List<TrackedEventMessage<?>> events = history.between(position, upTo, subject.unwanted());
        Set<Long> dropped = droppedBetween(position, upTo);
        return new Part(
                ReplayBatch.of(dropped.isEmpty() ? events : without(dropped, events), subject.handlers()), upTo);
    }

    /** What a person has given up stays so. */
    private Set<Long> droppedBetween(long position, long upTo) {
        return new HashSet<>(database.sql(DROPPED)
                .params(subject.processor(), position, upTo)
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

    private static Part await(CompletableFuture<Part> part) throws InterruptedException {
        try {
            return part.get(READ_MAX_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(e);
        } catch (TimeoutException e) {
            throw new IllegalStateException("the log is not to be read within %d s".formatted(READ_MAX_SECONDS), e);
        }
    }

    private void write(Part part, long from) {
        transactions.executeWithoutResult(transaction -> {
            // A crash may take back the last stretches, and where they led to with them.
            database.sql("SET LOCAL synchronous_commit = off").update();
            part.rebuilding().write(remembered);
            replays.moveTo(from, part.upTo(), subject.processor());
        });
    }

    /** Puts the new tables in the place of the old ones, unless somebody is using those for too long. */
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
                return false;
            }
        }));
    }

    private static boolean isInUse(DataAccessException e) {
        return e.getRootCause() instanceof SQLException refused && IN_USE.contains(refused.getSQLState());
    }

    /** First the tables, then the token, then what is parked, as the processor does: nobody waits in a circle. */
    private boolean replaceNow(long reached) {
        subject.tables()
                .forEach(table -> database.sql("LOCK TABLE " + table.name() + " IN ACCESS EXCLUSIVE MODE")
                        .update());
        // The processor has written up to its token, and writes nothing now.
        // Without a token it would begin with the oldest event.
        long token = token(" FOR UPDATE").orElse(Long.MIN_VALUE);
        if (token < reached
                || token - reached > 2 * LAST_STEP_MAX
                || !subject.tables().stream().allMatch(table -> table.isAlike(database))) {
            return false;
        }
        if (token > reached) {
            readNow(reached, token).rebuilding().write(remembered);
        }
        subject.tables().forEach(table -> table.replace(database));
        subject.replaced().run();
        endParking(token);
        replays.end(reached, subject.processor());
        return true;
    }

    /** The first one of its type. */
    private record Parked(String type, long position) {}

    /** Whatever was wrong with them, they are in the new tables. */
    private void endParking(long token) {
        database.sql(PARKED)
                .params(subject.processor(), token)
                .query((row, i) -> new Parked(row.getString("type"), row.getLong("position")))
                .list()
                .forEach(this::checkKnown);
        database.sql(PARKED_NO_MORE).params(subject.processor(), token).update();
    }

    /** It was passed over, and what comes after it in its sequence was not. */
    private void checkKnown(Parked parked) {
        if (history.between(parked.position() - 1, parked.position(), Set.of()).stream()
                .anyMatch(event -> event.getPayloadType() == UnknownSerializedType.class)) {
            throw new IllegalStateException("event %d is parked, and only a newer version knows %s"
                    .formatted(parked.position(), parked.type()));
        }
    }
}
