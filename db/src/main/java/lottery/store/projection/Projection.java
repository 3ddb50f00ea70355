package lottery.store.projection;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import lottery.store.projection.RowTable.Stored;
import org.axonframework.eventhandling.ResetHandler;
import org.axonframework.eventhandling.TrackedEventMessage;
import org.axonframework.messaging.Message;
import org.axonframework.messaging.unitofwork.CurrentUnitOfWork;
import org.axonframework.messaging.unitofwork.UnitOfWork;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcOperations;

/**
 * A read model that is a table, one row per key. Whoever extends it says with {@code @EventHandler} methods which row
 * an event changes, and into what; the rows of all events of a batch are then read with one statement and written with
 * one, in the transaction that moves the processor's token.
 *
 * <p>The table has a column {@code position}, the newest event that a row has seen: an event that comes again changes
 * nothing. Therefore a row gathers events of one sequence only: an older one that was parked would be taken for known,
 * if another sequence had moved the row on meanwhile. The other columns are named after the components of the two
 * records; a component that is a record stands for its own components.
 *
 * @param <K> the key
 * @param <R> the rest of the row
 */
public abstract class Projection<K extends Record, R extends Record> {

    private final RowTable<K, R> table;
    private final String gathered = getClass().getName() + ".gathered";

    protected Projection(JdbcOperations database, String table, Class<K> key, Class<R> row) {
        this.table = new RowTable<>(database, table, key, row);
    }

    /**
     * The current event changes a row.
     *
     * @param change makes the new row of the old one; null stands for no row, before and after
     */
    protected final void change(K key, UnaryOperator<@Nullable R> change) {
        UnitOfWork<?> batch = CurrentUnitOfWork.get().root();
        Map<K, List<Change<R>>> changes = batch.getOrComputeResource(gathered, ignored -> {
            Map<K, List<Change<R>>> fresh = new LinkedHashMap<>();
            // Handlers of this phase run in the reverse order of their registration: the transaction, which was there
            // first, commits after this.
            batch.onCommit(ending -> write(fresh));
            return fresh;
        });
        changes.computeIfAbsent(key, ignored -> new ArrayList<>()).add(new Change<>(position(), change));
    }

    private record Change<R>(long position, UnaryOperator<@Nullable R> step) {}

    private static long position() {
        Message<?> message = CurrentUnitOfWork.get().getMessage();
        if (message instanceof TrackedEventMessage<?> event) {
            return event.trackingToken().position().orElseThrow();
        }
        throw new IllegalStateException("a projection follows the log, and %s is not from there".formatted(message));
    }

    private void write(Map<K, List<Change<R>>> changes) {
        Map<K, Stored<R>> before = table.read(changes.keySet());
        Map<K, Stored<R>> after = new HashMap<>();
        changes.forEach((key, steps) -> {
            Stored<R> old = before.getOrDefault(key, Stored.none());
            Stored<R> now = evolved(old, steps);
            if (now.position() > old.position()) {
                after.put(key, now);
            }
        });
        table.write(after);
    }

    private Stored<R> evolved(Stored<R> old, List<Change<R>> steps) {
        @Nullable R row = old.row();
        long position = old.position();
        for (Change<R> change : steps) {
            if (change.position() > old.position()) {
                row = change.step().apply(row);
                position = change.position();
            }
        }
        return new Stored<>(row, position);
    }

    /** Before the events come again. */
    @ResetHandler
    protected void forget() {
        table.clear();
    }
}
