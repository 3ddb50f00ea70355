package lottery.store.saga;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import lottery.store.processing.CauseText;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Reads and writes the rows of all sagas. */
final class SagaTable {

    private static final String LOCK = "SELECT * FROM saga_lock(?, ?::text[])";

    private static final String FIND_BY_ID = "SELECT * FROM saga WHERE type = ? AND saga_id = ?";

    private static final String TAKE_DUE = "SELECT * FROM saga_take_due(?, ?::timestamptz, ?)";

    private static final String TAKE_ONE = """
            SELECT * FROM saga
            WHERE association = ? AND type = ? AND version = ? AND due_at <= ?::timestamptz
            FOR UPDATE SKIP LOCKED""";

    /**
     * Writes rows. A new row must not exist yet, and an existing row must have the version that was read. A stuck saga
     * counts as late from the time when it was first due.
     */
    private static final String WRITE = """
            WITH written AS (
                INSERT INTO saga (association, type, version, saga_id, state, due_at, due_since, cause)
                SELECT association, type, version, saga_id, state, due_at,
                    CASE WHEN is_stuck THEN due_at END,
                    CASE WHEN is_stuck THEN 'it has acted several times without effect; the log says why' END
                FROM unnest(?::text[], ?::text[], ?::integer[], ?::text[], ?::text[], ?::timestamptz[], ?::boolean[])
                    AS change (association, type, version, saga_id, state, due_at, is_stuck)
                ON CONFLICT (association, type) DO UPDATE
                SET version = excluded.version, saga_id = excluded.saga_id, state = excluded.state,
                    due_at = excluded.due_at, failures = 0, cause = excluded.cause,
                    due_since = CASE WHEN excluded.due_since IS NOT NULL
                        THEN coalesce(saga.due_since, saga.due_at, excluded.due_since) END
                WHERE saga.version = excluded.version - 1
                RETURNING old.version AS before, new.version AS after)
            SELECT count(*) FROM written WHERE coalesce(before, 0) = after - 1""";

    private static final String END = "SELECT count(*) FROM saga_end(?::text[], ?::text[], ?::integer[])";

    /**
     * Postpones a saga. The version stays the same, because the saga has not changed and an event may change it
     * meanwhile. If a batch of events has locked the saga, it stays as it is: the batch may change it, and may take
     * longer than the poll should wait.
     */
    private static final String PUT_OFF = """
            UPDATE saga SET due_at = ?::timestamptz, due_since = coalesce(due_since, due_at), failures = failures + ?,
                cause = ?
            WHERE (association, type) IN (
                SELECT association, type FROM saga WHERE association = ? AND type = ? AND version = ?
                FOR UPDATE SKIP LOCKED)""";

    /** The order in which changes are written. Two transactions that lock the same rows lock them in the same order. */
    private static final Comparator<SagaRowChange> ORDER = Comparator.comparing(
                    (SagaRowChange change) -> change.sagaKey().association())
            .thenComparing(change -> change.sagaKey().type());

    /**
     * How long a statement may take. PostgreSQL ends the wait for a single lock after 10 s. In both cases the statement
     * fails, and its batch is handled again.
     */
    private static final Duration STATEMENT_MAX = Duration.ofSeconds(15);

    private final JdbcClient database;
    private final TransactionTemplate transaction;

    SagaTable(JdbcClient database, PlatformTransactionManager transactions) {
        this.database = database;
        this.transaction = new TransactionTemplate(transactions);
    }

    private JdbcClient.StatementSpec ask(String sql) {
        return database.sql(sql).withQueryTimeout(Math.toIntExact(STATEMENT_MAX.toSeconds()));
    }

    /** Finds sagas, and locks them until the end of the transaction. */
    List<SagaRow> lock(String type, Collection<String> associations) {
        return ask(LOCK)
                .param(type)
                .param(associations.toArray(String[]::new))
                .query(SagaTable::row)
                .list();
    }

    /**
     * Finds a saga by its id, and does not lock it. This reads all sagas of the type, but event handlers never need it.
     */
    Optional<SagaRow> findById(String type, String sagaId) {
        return ask(FIND_BY_ID).param(type).param(sagaId).query(SagaTable::row).optional();
    }

    /** Locks some of the due sagas, the longest due first, until the end of the transaction. */
    List<SagaRow> takeDue(String type, Instant now, int max) {
        return ask(TAKE_DUE)
                .param(type)
                .param(now.toString())
                .param(max)
                .query(SagaTable::row)
                .list();
    }

    /** Locks a saga again, if it has not changed and is still due. */
    Optional<SagaRow> takeAgain(SagaRow row, Instant now) {
        return ask(TAKE_ONE)
                .param(row.sagaKey().association())
                .param(row.sagaKey().type())
                .param(row.version())
                .param(now.toString())
                .query(SagaTable::row)
                .optional();
    }

    /** Postpones a saga that has failed. Returns false if it has changed or is locked. */
    boolean putOff(SagaRow row, Instant until, Throwable cause) {
        return putOff(row, until, 1, cause);
    }

    /**
     * Postpones a saga without counting a failure, for example in an outage. It still counts as late from the time when
     * it was first due.
     */
    void postpone(SagaRow row, Instant until, Throwable cause) {
        putOff(row, until, 0, cause);
    }

    private boolean putOff(SagaRow row, Instant until, int failures, Throwable cause) {
        return ask(PUT_OFF)
                        .param(until.toString())
                        .param(failures)
                        .param(CauseText.of(cause))
                        .param(row.sagaKey().association())
                        .param(row.sagaKey().type())
                        .param(row.version())
                        .update()
                > 0;
    }

    /** Applies all changes or none, in the current transaction or in one of its own. */
    void apply(Collection<? extends SagaRowChange> changes) {
        List<SagaRowToUpsert> writes = new ArrayList<>();
        List<SagaRowToDelete> ends = new ArrayList<>();
        changes.stream().sorted(ORDER).forEach(change -> {
            switch (change) {
                case SagaRowToUpsert write -> writes.add(write);
                case SagaRowToDelete end -> ends.add(end);
            }
        });
        if (!writes.isEmpty() || !ends.isEmpty()) {
            transaction.executeWithoutResult(status -> {
                write(writes);
                end(ends);
            });
        }
    }

    private void write(List<SagaRowToUpsert> writes) {
        if (writes.isEmpty()) {
            return;
        }
        long written = ask(WRITE)
                .param(associations(writes))
                .param(types(writes))
                .param(writes.stream()
                        .mapToInt(write -> write.versionRead() + 1)
                        .toArray())
                .param(writes.stream().map(SagaRowToUpsert::sagaId).toArray(String[]::new))
                .param(writes.stream().map(SagaRowToUpsert::state).toArray(String[]::new))
                .param(writes.stream().map(SagaTable::dueText).toArray(String[]::new))
                .param(writes.stream().map(SagaRowToUpsert::isStuck).toArray(Boolean[]::new))
                .query(Long.class)
                .single();
        allOf(writes, written);
    }

    private void end(List<SagaRowToDelete> ends) {
        if (ends.isEmpty()) {
            return;
        }
        long ended = ask(END).param(associations(ends))
                .param(types(ends))
                .param(ends.stream().mapToInt(SagaRowToDelete::versionRead).toArray())
                .query(Long.class)
                .single();
        allOf(ends, ended);
    }

    private static void allOf(List<? extends SagaRowChange> changes, long done) {
        if (done != changes.size()) {
            throw new SagaChangedException("%d of %d sagas were changed by another transaction after they were read"
                    .formatted(changes.size() - done, changes.size()));
        }
    }

    private static String[] associations(List<? extends SagaRowChange> changes) {
        return changes.stream().map(change -> change.sagaKey().association()).toArray(String[]::new);
    }

    private static String[] types(List<? extends SagaRowChange> changes) {
        return changes.stream().map(change -> change.sagaKey().type()).toArray(String[]::new);
    }

    private static @Nullable String dueText(SagaRowToUpsert write) {
        return write.dueAt() == null ? null : write.dueAt().toString();
    }

    private static SagaRow row(ResultSet row, int number) throws SQLException {
        return new SagaRow(
                new SagaKey(row.getString("type"), row.getString("association")),
                row.getString("saga_id"),
                row.getInt("version"),
                row.getInt("failures"),
                row.getString("state"));
    }
}
