package lottery.store.projection;

import lottery.store.processing.RebuiltFromLog;
import org.axonframework.eventhandling.ResetHandler;
import org.axonframework.messaging.unitofwork.CurrentUnitOfWork;
import org.axonframework.messaging.unitofwork.UnitOfWork;
import org.springframework.jdbc.core.JdbcOperations;

/**
 * A read model that is stored in a table. Subclasses gather the changes of a batch of events in {@code @EventHandler}
 * methods. They write the changes at the end of the batch, in the transaction that moves the processor's token.
 *
 * <p>A replay builds a second table beside the first one, while the processor goes on with the first. Events then come
 * in ranges of thousands, in the order of the log and each once. Until the changes of a range are written, a handler
 * must not depend on rows of either table. It must never depend on a table that another handler writes.
 *
 * @param <B> the changes of a batch of events
 */
public abstract class BatchProjection<B> implements RebuiltFromLog {

    private final JdbcOperations database;
    private final ShadowTable tables;
    private final String gathered = getClass().getName() + ".gathered";

    protected BatchProjection(JdbcOperations database, String table) {
        this.database = database;
        this.tables = new ShadowTable(table);
    }

    /** Creates the changes of a batch that has no event yet. */
    protected abstract B begin();

    /** Writes the changes of a batch into the table of that name. */
    protected abstract void write(B batch, String table);

    /** Writes the changes of a range of a replay into the second table. */
    void rebuild(B batch, ReplayRowCache remembered) {
        write(batch, tables.next());
    }

    /** Returns the changes that the events of the current batch have made so far. */
    protected final B batch() {
        if (ReplayBatch.isUnderWay()) {
            return ReplayBatch.current().batch(this);
        }
        UnitOfWork<?> batch = CurrentUnitOfWork.get().root();
        return batch.getOrComputeResource(gathered, ignored -> {
            B fresh = begin();
            // Handlers of this phase run in the reverse order of their registration. The transaction was registered
            // first and therefore commits after this.
            batch.onCommit(ending -> write(fresh, tables.name()));
            return fresh;
        });
    }

    /** Returns the table of this read model, together with the second table that a replay builds beside it. */
    final ShadowTable tables() {
        return tables;
    }

    /**
     * Rebuilds other data in the database that depends on the table; by default it does nothing. A replay calls it
     * after the new table has replaced the old one, in the same transaction. The triggers of the table exist again by
     * then.
     */
    protected void replaced() {}

    /** Empties the table before the events are handled again. */
    @ResetHandler
    protected void forget() {
        database.update("DELETE FROM " + tables.name());
    }
}
