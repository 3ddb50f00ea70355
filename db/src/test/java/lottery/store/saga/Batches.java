package lottery.store.saga;

import java.util.List;
import java.util.stream.IntStream;
import org.axonframework.common.transaction.NoTransactionManager;
import org.axonframework.common.transaction.TransactionManager;
import org.axonframework.config.EventProcessingConfiguration;
import org.axonframework.config.SagaConfiguration;
import org.axonframework.eventhandling.EventMessage;
import org.axonframework.eventhandling.GenericEventMessage;
import org.axonframework.eventhandling.Segment;
import org.axonframework.messaging.ResultMessage;
import org.axonframework.messaging.unitofwork.BatchingUnitOfWork;
import org.axonframework.modelling.saga.AbstractSagaManager;
import org.axonframework.modelling.saga.SagaRepository;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Handles events in batches of the test's choice, as a processor does, and shows the rows of the table. */
class Batches {

    private final ObjectProvider<EventProcessingConfiguration> processing;
    private final TransactionManager transactions;
    private final JdbcClient database;

    Batches(
            ObjectProvider<EventProcessingConfiguration> processing,
            TransactionManager transactions,
            JdbcClient database) {
        this.processing = processing;
        this.transactions = transactions;
        this.database = database;
    }

    void handle(Object... events) {
        handle(List.of(events));
    }

    void handle(List<?> events) {
        handleAnd(() -> {}, events);
    }

    /** Handles a batch that has no transaction, so that no saga stays locked after it was read. */
    void handleWithoutLocks(Object... events) {
        handle(NoTransactionManager.instance(), () -> {}, List.of(events));
    }

    /** Runs an action with the commit of the batch, as if a handler had prepared it during the first event. */
    void handleAnd(Runnable atCommit, Object... events) {
        handleAnd(atCommit, List.of(events));
    }

    private void handleAnd(Runnable atCommit, List<?> events) {
        handle(transactions, atCommit, events);
    }

    private void handle(TransactionManager around, Runnable atCommit, List<?> events) {
        List<EventMessage<Object>> messages = events.stream()
                .<EventMessage<Object>>map(GenericEventMessage::new)
                .toList();
        AbstractSagaManager<?> trips = trips().manager();
        BatchingUnitOfWork<EventMessage<Object>> batch = new BatchingUnitOfWork<>(messages);
        batch.attachTransaction(around);
        ResultMessage<Object> result = batch.executeWithResult(() -> {
            trips.handle(batch.getMessage(), Segment.ROOT_SEGMENT);
            if (batch.getMessage().equals(messages.getFirst())) {
                batch.onPrepareCommit(_ -> batch.onCommit(_ -> atCommit.run()));
            }
            return "handled";
        });
        if (result.isExceptional()) {
            throw result.exceptionResult() instanceof RuntimeException e
                    ? e
                    : new IllegalStateException(result.exceptionResult());
        }
    }

    private SagaConfiguration<?> trips() {
        return processing.getObject().sagaConfigurations().stream()
                .filter(saga -> saga.type() == Trip.class)
                .findAny()
                .orElseThrow();
    }

    SagaRepository<?> repository() {
        return trips().repository();
    }

    static List<String> parcels(String prefix, int count) {
        return IntStream.range(0, count).mapToObj(i -> prefix + i).toList();
    }

    /** A trip as it is in the table. */
    record Shown(String parcel, int seen, int searches, int version, int failures) {}

    List<Shown> rows() {
        return database.sql("""
                SELECT association, (state ->> 'seen')::integer, (state ->> 'searches')::integer, version, failures
                FROM saga_readable WHERE type = 'trip' ORDER BY association""")
                .query((row, i) ->
                        new Shown(row.getString(1), row.getInt(2), row.getInt(3), row.getInt(4), row.getInt(5)))
                .list();
    }

    List<String> parcels() {
        return rows().stream().map(Shown::parcel).toList();
    }

    List<Integer> searches() {
        return rows().stream().map(Shown::searches).toList();
    }

    void clear() {
        database.sql("DELETE FROM saga").update();
    }
}
