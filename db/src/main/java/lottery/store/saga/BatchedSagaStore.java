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
 * Sagas of a batch of events: one select for each kind of saga reads all that the batch may be about, one upsert and
 * one delete write what became of them, in the transaction in which the processor moves its token. A saga that begins
 * and ends within the batch, or that is left as it was, costs nothing.
 */
final class BatchedSagaStore implements SagaStore<Object> {

    private static final String GATHERED = Gathered.class.getName();

    private final SagaTable table;
    private final Kinds kinds;
    private final Documents documents;

    BatchedSagaStore(SagaTable table, Kinds kinds, Documents documents) {
        this.table = table;
        this.kinds = kinds;
        this.documents = documents;
    }

    @Override
    public Set<String> findSagas(Class<?> sagaType, AssociationValue associationValue) {
        Kind<?> kind = kinds.of(sagaType);
        if (!kind.key().equals(associationValue.getKey()) || associationValue.getValue() == null) {
            return Set.of();
        }
        return at(new Place(kind.name(), associationValue.getValue()), kind, gathered())
                .map(row -> Set.of(row.sagaId()))
                .orElse(Set.of());
    }

    @Override
    public <S> SagaStore.@Nullable Entry<S> loadSaga(Class<S> sagaType, String sagaIdentifier) {
        Kind<S> kind = kinds.of(sagaType);
        return withId(kind, sagaIdentifier, gathered())
                .map(row -> new Found<>(
                        Set.of(new AssociationValue(kind.key(), row.place().association())),
                        documents.read(row.state(), sagaType)))
                .orElse(null);
    }

    private record Found<S>(Set<AssociationValue> associationValues, S saga) implements SagaStore.Entry<S> {}

    @Override
    public void insertSaga(
            Class<?> sagaType, String sagaIdentifier, Object saga, Set<AssociationValue> associationValues) {
        Kind<?> kind = kinds.of(sagaType);
        Place place = place(kind, associationValues);
        Gathered gathered = gathered();
        at(place, kind, gathered)
                .filter(row -> !row.sagaId().equals(sagaIdentifier))
                .ifPresent(row -> {
                    throw new SagaStorageException(place + " has a saga already");
                });
        write(gathered, place, sagaIdentifier, saga, documents.write(saga));
    }

    @Override
    public void updateSaga(Class<?> sagaType, String sagaIdentifier, Object saga, AssociationValues associationValues) {
        Kind<?> kind = kinds.of(sagaType);
        Place place = place(kind, associationValues.asSet());
        Gathered gathered = gathered();
        Row row = at(place, kind, gathered)
                .filter(there -> there.sagaId().equals(sagaIdentifier))
                .orElseThrow(() -> new SagaChanged(place + " is not the place of " + sagaIdentifier));
        String state = documents.write(saga);
        if (!state.equals(row.state())) {
            write(gathered, place, sagaIdentifier, saga, state);
        }
    }

    @Override
    public void deleteSaga(Class<?> sagaType, String sagaIdentifier, Set<AssociationValue> associationValues) {
        Kind<?> kind = kinds.of(sagaType);
        Gathered gathered = gathered();
        withId(kind, sagaIdentifier, gathered)
                .ifPresent(row -> change(gathered, row.place(), sagas -> sagas.end(row.place())));
    }

    void endWithBatch(Class<?> sagaType, String association) {
        Place place = new Place(kinds.of(sagaType).name(), association);
        Gathered gathered = gathered();
        if (gathered.change(place) instanceof Write) {
            gathered.end(place);
        }
    }

    private void write(Gathered gathered, Place place, String sagaId, Object saga, String state) {
        change(gathered, place, sagas -> sagas.write(place, sagaId, state, Documents.dueAt(saga)));
    }

    private static Place place(Kind<?> kind, Set<AssociationValue> associations) {
        List<String> values = associations.stream()
                .filter(association -> association.getKey().equals(kind.key()))
                .flatMap(association -> Stream.ofNullable(association.getValue()))
                .toList();
        if (associations.size() != 1 || values.size() != 1) {
            throw new SagaStorageException(
                    "a saga has one association, by %s, and not %s".formatted(kind.key(), associations));
        }
        return new Place(kind.name(), values.getFirst());
    }

    private Optional<Row> at(Place place, Kind<?> kind, Gathered gathered) {
        if (!gathered.knows(place)) {
            Set<Place> wanted = placesOfBatch(kind);
            wanted.removeIf(gathered::knows);
            wanted.add(place);
            read(kind, wanted, gathered);
        }
        return gathered.at(place);
    }

    private void read(Kind<?> kind, Collection<Place> places, Gathered gathered) {
        List<String> associations = places.stream().map(Place::association).toList();
        gathered.learn(places, table.find(kind.name(), associations));
    }

    private Optional<Row> withId(Kind<?> kind, String sagaId, Gathered gathered) {
        return gathered.withId(kind.name(), sagaId).or(() -> {
            Optional<Row> row = table.findById(kind.name(), sagaId).filter(there -> !gathered.knows(there.place()));
            row.ifPresent(there -> gathered.learn(List.of(), List.of(there)));
            return row;
        });
    }

    private static Set<Place> placesOfBatch(Kind<?> kind) {
        Set<Place> places = new HashSet<>();
        if (CurrentUnitOfWork.isStarted() && CurrentUnitOfWork.get().root() instanceof BatchingUnitOfWork<?> batch) {
            batch.getMessages().forEach(message -> places.addAll(placesOf(message, kind)));
        }
        return places;
    }

    private static List<Place> placesOf(Message<?> message, Kind<?> kind) {
        try {
            return message instanceof EventMessage<?> event
                    ? kind.associationsOf(event)
                            .map(association -> new Place(kind.name(), association))
                            .toList()
                    : List.of();
        } catch (RuntimeException e) {
            // An event that cannot be read fails when it is its turn, and not those before it.
            return List.of();
        }
    }

    private static Gathered gathered() {
        return CurrentUnitOfWork.map(
                        unit -> unit.root().<Gathered>getOrComputeResource(GATHERED, key -> new Gathered()))
                .orElseGet(Gathered::new);
    }

    /** Gathers a change for the end of the unit of work. Where there is no such end to come, it is written at once. */
    private void change(Gathered gathered, Place place, Consumer<Gathered> change) {
        Change before = gathered.change(place);
        change.accept(gathered);
        if (!isCommitToCome()) {
            table.apply(Stream.ofNullable(gathered.change(place)).toList());
            return;
        }
        UnitOfWork<?> unit = CurrentUnitOfWork.get();
        if (!unit.isRoot()) {
            unit.onRollback(rolledBack -> gathered.undo(place, before));
        }
        if (gathered.isFirstToWait()) {
            // The last to be registered is the first to run: the transaction around the batch commits after this.
            unit.root().onCommit(committing -> table.apply(gathered.changes()));
        }
    }

    private static boolean isCommitToCome() {
        return CurrentUnitOfWork.isStarted()
                && CurrentUnitOfWork.get().root().phase().isBefore(UnitOfWork.Phase.COMMIT);
    }
}
