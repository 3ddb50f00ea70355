package lottery.store.projection;

import java.util.function.UnaryOperator;
import org.axonframework.eventhandling.TrackedEventMessage;
import org.axonframework.messaging.Message;
import org.axonframework.messaging.unitofwork.CurrentUnitOfWork;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcOperations;

/**
 * A read model that is stored in a table, one row per key. Subclasses have {@code @EventHandler} methods that say which
 * row an event changes, and how. One statement reads the rows for all events of a batch, and one writes them. Both are
 * in the transaction that moves the processor's token.
 *
 * <p>The table has a column {@code position} for the newest event that a row has seen. An event at or before that
 * position does not change the row. Therefore all events of a row must be of one sequence. If an event of another
 * sequence had raised the position, an older event that was parked would be ignored. The other columns are named after
 * the components of the key's record and of the row's record. A component that is itself a record has no column, but
 * its components have.
 */
public abstract class Projection<K extends Record, R extends Record> extends BatchProjection<RowChanges<K, R>> {

    private final RowTable<K, R> table;
    private final RowTable<K, R> next;

    protected Projection(JdbcOperations database, String table, Class<K> key, Class<R> row) {
        super(database, table);
        this.table = new RowTable<>(database, table, key, row);
        this.next = new RowTable<>(database, new ShadowTable(table).next(), key, row);
    }

    /**
     * Changes a row because of the current event.
     *
     * @param change returns the new row for the old one; in both places null stands for no row
     */
    protected final void change(K key, UnaryOperator<@Nullable R> change) {
        add(key, change, false);
    }

    /**
     * Writes the first row of a key; no earlier event may concern this key. No old row is read, which halves the cost.
     * If the event is handled a second time, there is an old row, which is replaced only if its position is lower. If a
     * later event of the same batch removes the row, the row is always removed, whatever its position.
     */
    protected final void writeFirst(K key, R row) {
        add(key, ignored -> row, true);
    }

    private void add(K key, UnaryOperator<@Nullable R> change, boolean begins) {
        if (ReplayBatch.isUnderWay()) {
            ReplayBatch current = ReplayBatch.current();
            batch().add(key, current.position(), current.blamed(change), begins);
        } else {
            batch().add(key, position(), change, begins);
        }
    }

    private static long position() {
        Message<?> message = CurrentUnitOfWork.get().getMessage();
        if (message instanceof TrackedEventMessage<?> event) {
            return event.trackingToken().position().orElseThrow();
        }
        throw new IllegalStateException("a projection follows the log, and %s is not from there".formatted(message));
    }

    @Override
    protected final RowChanges<K, R> begin() {
        return new RowChanges<>();
    }

    @Override
    protected final void write(RowChanges<K, R> batch, String name) {
        batch.writeTo(name.equals(tables().next()) ? next : table);
    }

    @Override
    final void rebuild(RowChanges<K, R> batch, ReplayRowCache remembered) {
        batch.writeTo(next, remembered.of(this));
    }
}
