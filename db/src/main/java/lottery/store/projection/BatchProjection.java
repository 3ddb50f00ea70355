package lottery.store.projection;

import org.axonframework.eventhandling.ResetHandler;
import org.axonframework.messaging.unitofwork.CurrentUnitOfWork;
import org.axonframework.messaging.unitofwork.UnitOfWork;
import org.springframework.jdbc.core.JdbcOperations;

/**
 * A read model that is a table. Whoever extends it says with {@code @EventHandler} methods what the events of a batch
 * come to, and writes that at the batch's end, in the transaction that moves the processor's token.
 *
 * <p>It is built anew as a second table beside the first one: events then come in stretches of thousands, in the order
 * of the log and none twice, while the processor goes on with the first table. Therefore what an event comes to depends
 * on nothing that is in either table before it is written, and on no table that another handler writes.
 *
 * @param <B> what the events of a batch come to
 */
public abstract class BatchProjection<B> {

    private final JdbcOperations database;
    private final ShadowTable tables;
    private final String gathered = getClass().getName() + ".gathered";

    protected BatchProjection(JdbcOperations database, String table) {
        this.database = database;
        this.tables = new ShadowTable(table);
    }

    /** Of no event yet. */
    protected abstract B begin();

    /** Writes what was gathered into the table of that name. */
    protected abstract void write(B batch, String table);

    /** In a replay, into the table that is built beside the first one. */
    void rebuild(B batch, ReplayRowCache remembered) {
        write(batch, tables.next());
    }

    /** What the events of the batch that is under way have come to so far. */
    protected final B batch() {
        if (ReplayBatch.isUnderWay()) {
            return ReplayBatch.current().batch(this);
        }
        UnitOfWork<?> batch = CurrentUnitOfWork.get().root();
        return batch.getOrComputeResource(gathered, ignored -> {
            B fresh = begin();
            // Handlers of this phase run in the reverse order of their registration: the transaction, which was there
            // first, commits after this.
            batch.onCommit(ending -> write(fresh, tables.name()));
            return fresh;
        });
    }

    /** The table that it writes, and the one that is built beside it in a replay. */
    final ShadowTable tables() {
        return tables;
    }

    /**
     * In a replay, when the new table has taken the old one's place, and in the same transaction: what the database
     * keeps beside it can be made anew here. Triggers are there again.
     */
    protected void replaced() {}

    /** Before the events come again. */
    @ResetHandler
    protected void forget() {
        database.update("DELETE FROM " + tables.name());
    }
}
