package lottery.store.projection;

import java.util.function.UnaryOperator;
import org.axonframework.eventhandling.TrackedEventMessage;
import org.axonframework.messaging.Message;
import org.axonframework.messaging.unitofwork.CurrentUnitOfWork;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcOperations;

/**
 * A read model that is a table, one row per key. Subclasses say with {@code @EventHandler} methods which row an event
 * changes, and into what. The rows of all events of a batch are read with one statement and written with one, in the
 * transaction that moves the processor's token.
 *
 * <p>The table has a column {@code position}, the newest event that a row has seen: an event that comes again changes
 * nothing. Therefore a row may gather events of one sequence only. If another sequence had moved the row on, an older
 * event that was parked would count as known. The other columns are named after the components of the two records; a
 * component that is a record stands for its own components.
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
     * @param change makes the new row of the old one; null stands for no row, before and after
     */
    protected final void change(K key, UnaryOperator<@Nullable R> change) {
        add(key, change, false);
    }

    /**
     * Writes the first row of a key: no event before the current one can be about it. It reads no old row, which halves
     * the cost. If the event comes again, there is an old row. That row is replaced only if it has seen fewer events. A
     * later event of the same batch that removes the row always does so.
     */
    protected final void first(K key, R row) {
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
