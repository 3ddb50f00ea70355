package lottery.store.saga;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.axonframework.eventhandling.EventMessage;
import org.axonframework.messaging.Message;
import org.axonframework.messaging.unitofwork.BatchingUnitOfWork;
import org.axonframework.messaging.unitofwork.CurrentUnitOfWork;
import org.axonframework.messaging.unitofwork.UnitOfWork;
import org.axonframework.modelling.saga.AssociationValue;
import org.axonframework.modelling.saga.AssociationValues;
import org.axonframework.modelling.saga.SagaStorageException;
import org.axonframework.modelling.saga.repository.SagaStore;
import org.jspecify.annotations.Nullable;

/**
 * Stores the sagas of one batch of events. One select for each type of saga reads and locks all sagas that the events
 * of the batch may concern. One upsert and one delete write the changes, in the transaction that moves the processor's
 * token. A saga that begins and ends within the batch, or that does not change, is not written.
 */
final class BatchedSagaStore implements SagaStore<Object> {

    private static final String GATHERED = SagaBatch.class.getName();

    private final SagaTable table;
    private final SagaTypeRegistry kinds;
    private final SagaDocumentCodec documents;

    BatchedSagaStore(SagaTable table, SagaTypeRegistry kinds, SagaDocumentCodec documents) {
        this.table = table;
        this.kinds = kinds;
        this.documents = documents;
    }

    @Override
    public Set<String> findSagas(Class<?> sagaType, AssociationValue associationValue) {
        SagaType<?> kind = kinds.of(sagaType);
        if (!kind.key().equals(associationValue.getKey()) || associationValue.getValue() == null) {
            return Set.of();
        }
        return at(new SagaKey(kind.name(), associationValue.getValue()), kind, gathered())
                .map(row -> Set.of(row.sagaId()))
                .orElse(Set.of());
    }

    @Override
    public <S> SagaStore.@Nullable Entry<S> loadSaga(Class<S> sagaType, String sagaIdentifier) {
        SagaType<S> kind = kinds.of(sagaType);
        return withId(kind, sagaIdentifier, gathered())
                .map(row -> new LoadedSaga<>(
                        Set.of(new AssociationValue(kind.key(), row.sagaKey().association())),
                        documents.read(row.state(), sagaType)))
                .orElse(null);
    }

    private record LoadedSaga<S>(Set<AssociationValue> associationValues, S saga) implements SagaStore.Entry<S> {}

    @Override
    public void insertSaga(
            Class<?> sagaType, String sagaIdentifier, Object saga, Set<AssociationValue> associationValues) {
        SagaType<?> kind = kinds.of(sagaType);
        SagaKey sagaKey = place(kind, associationValues);
        SagaBatch gathered = gathered();
        at(sagaKey, kind, gathered)
                .filter(row -> !row.sagaId().equals(sagaIdentifier))
                .ifPresent(row -> {
                    throw new SagaStorageException(sagaKey + " has a saga already");
                });
        write(gathered, sagaKey, sagaIdentifier, saga, documents.write(saga));
    }

    @Override
    public void updateSaga(Class<?> sagaType, String sagaIdentifier, Object saga, AssociationValues associationValues) {
        SagaType<?> kind = kinds.of(sagaType);
        SagaKey sagaKey = place(kind, associationValues.asSet());
        SagaBatch gathered = gathered();
        SagaRow row = at(sagaKey, kind, gathered)
                .filter(there -> there.sagaId().equals(sagaIdentifier))
                .orElseThrow(() -> new SagaChangedException(sagaKey + " is not the place of " + sagaIdentifier));
        String state = documents.write(saga);
        if (!state.equals(row.state())) {
            write(gathered, sagaKey, sagaIdentifier, saga, state);
        }
    }

    @Override
    public void deleteSaga(Class<?> sagaType, String sagaIdentifier, Set<AssociationValue> associationValues) {
        SagaType<?> kind = kinds.of(sagaType);
        SagaBatch gathered = gathered();
        withId(kind, sagaIdentifier, gathered)
                .ifPresent(row -> change(gathered, row.sagaKey(), sagas -> sagas.end(row.sagaKey())));
    }

    void endWithBatch(Class<?> sagaType, String association) {
        SagaKey sagaKey = new SagaKey(kinds.of(sagaType).name(), association);
        SagaBatch gathered = gathered();
        if (gathered.change(sagaKey) instanceof SagaRowToUpsert) {
            gathered.end(sagaKey);
        }
    }

    private void write(SagaBatch gathered, SagaKey sagaKey, String sagaId, Object saga, String state) {
        change(
                gathered,
                sagaKey,
                sagas -> sagas.write(
                        sagaKey, sagaId, state, SagaDocumentCodec.dueAt(saga), SagaDocumentCodec.isStuck(saga)));
    }

    private static SagaKey place(SagaType<?> kind, Set<AssociationValue> associations) {
        List<String> values = associations.stream()
                .filter(association -> association.getKey().equals(kind.key()))
                .flatMap(association -> Stream.ofNullable(association.getValue()))
                .toList();
        if (associations.size() != 1 || values.size() != 1) {
            throw new SagaStorageException(
                    "a saga has one association, by %s, and not %s".formatted(kind.key(), associations));
        }
        return new SagaKey(kind.name(), values.getFirst());
    }

    private Optional<SagaRow> at(SagaKey sagaKey, SagaType<?> kind, SagaBatch gathered) {
        if (!gathered.knows(sagaKey)) {
            Set<SagaKey> wanted = placesOfBatch(kind);
            wanted.removeIf(gathered::knows);
            wanted.add(sagaKey);
            read(kind, wanted, gathered);
        }
        return gathered.at(sagaKey);
    }

    private void read(SagaType<?> kind, Collection<SagaKey> places, SagaBatch gathered) {
        List<String> associations = places.stream().map(SagaKey::association).toList();
        gathered.learn(places, table.lock(kind.name(), associations));
    }

    private Optional<SagaRow> withId(SagaType<?> kind, String sagaId, SagaBatch gathered) {
        return gathered.withId(kind.name(), sagaId).or(() -> {
            Optional<SagaRow> row =
                    table.findById(kind.name(), sagaId).filter(there -> !gathered.knows(there.sagaKey()));
            row.ifPresent(there -> gathered.learn(List.of(), List.of(there)));
            return row;
        });
    }

    private static Set<SagaKey> placesOfBatch(SagaType<?> kind) {
        Set<SagaKey> places = new HashSet<>();
        if (CurrentUnitOfWork.isStarted() && CurrentUnitOfWork.get().root() instanceof BatchingUnitOfWork<?> batch) {
            batch.getMessages().forEach(message -> places.addAll(placesOf(message, kind)));
        }
        return places;
    }

    private static List<SagaKey> placesOf(Message<?> message, SagaType<?> kind) {
        try {
            return message instanceof EventMessage<?> event
                    ? kind.associationsOf(event)
                            .map(association -> new SagaKey(kind.name(), association))
                            .toList()
                    : List.of();
        } catch (RuntimeException e) {
            // An unreadable event fails when it is handled; it must not make the events before it fail.
            return List.of();
        }
    }

    private static SagaBatch gathered() {
        return CurrentUnitOfWork.map(
                        unit -> unit.root().<SagaBatch>getOrComputeResource(GATHERED, key -> new SagaBatch()))
                .orElseGet(SagaBatch::new);
    }

    /** Gathers a change for the end of the unit of work. If no commit will follow, it writes the change at once. */
    private void change(SagaBatch gathered, SagaKey sagaKey, Consumer<SagaBatch> change) {
        SagaRowChange before = gathered.change(sagaKey);
        change.accept(gathered);
        if (!isCommitToCome()) {
            table.apply(Stream.ofNullable(gathered.change(sagaKey)).toList());
            return;
        }
        UnitOfWork<?> unit = CurrentUnitOfWork.get();
        if (!unit.isRoot()) {
            unit.onRollback(rolledBack -> gathered.undo(sagaKey, before));
        }
        if (gathered.isFirstToWait()) {
            // The handler that was registered last runs first: the transaction around the batch commits after this.
            unit.root().onCommit(committing -> table.apply(gathered.changes()));
        }
    }

    private static boolean isCommitToCome() {
        return CurrentUnitOfWork.isStarted()
                && CurrentUnitOfWork.get().root().phase().isBefore(UnitOfWork.Phase.COMMIT);
    }
}
