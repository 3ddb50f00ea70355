package lottery.store.saga;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.axonframework.config.Configuration;
import org.axonframework.messaging.unitofwork.CurrentUnitOfWork;
import org.axonframework.modelling.saga.AnnotatedSaga;
import org.axonframework.modelling.saga.AssociationValue;
import org.axonframework.modelling.saga.repository.AnnotatedSagaRepository;

/**
 * Finds a saga by its only association, even if the saga began in the current batch and is not stored yet. Axon's own
 * repository asks every saga of the batch for each event, so a batch with twice the events takes four times as long.
 */
final class AssociationSagaRepository<T> extends AnnotatedSagaRepository<T> {

    private final Class<T> type;
    private final BatchedSagaStore store;
    private final String begunKey;

    private AssociationSagaRepository(Class<T> type, BatchedSagaStore store, Builder<T> builder) {
        super(builder);
        this.type = type;
        this.store = store;
        this.begunKey = AssociationSagaRepository.class.getName() + "/" + type.getName();
    }

    static <T> AssociationSagaRepository<T> of(Class<T> type, BatchedSagaStore store, Configuration axon) {
        return new AssociationSagaRepository<>(
                type,
                store,
                AnnotatedSagaRepository.<T>builder()
                        .sagaType(type)
                        .sagaStore(store)
                        .resourceInjector(axon.resourceInjector())
                        .parameterResolverFactory(axon.parameterResolverFactory())
                        .handlerDefinition(axon.handlerDefinition(type)));
    }

    @Override
    public AnnotatedSaga<T> doCreateInstance(String sagaIdentifier, Supplier<T> sagaFactory) {
        AnnotatedSaga<T> saga = super.doCreateInstance(sagaIdentifier, sagaFactory);
        begun().add(saga);
        return saga;
    }

    @Override
    public Set<String> find(AssociationValue association) {
        Set<String> found = new HashSet<>(store.findSagas(type, association));
        if (CurrentUnitOfWork.isStarted()) {
            found.addAll(begun().at(association));
        }
        return found;
    }

    private BegunSagas begun() {
        return CurrentUnitOfWork.get().root().getOrComputeResource(begunKey, key -> new BegunSagas());
    }

    /** The sagas that began in a unit of work, including those that have ended. */
    private static final class BegunSagas {

        private final List<AnnotatedSaga<?>> nameless = new ArrayList<>();
        private final Map<AssociationValue, Set<String>> ids = new HashMap<>();

        void add(AnnotatedSaga<?> saga) {
            nameless.add(saga);
        }

        Set<String> at(AssociationValue association) {
            // The associations are read only now: Axon adds them after it has created a saga, but before it looks up
            // any saga.
            for (AnnotatedSaga<?> saga : nameless) {
                for (AssociationValue its : saga.getAssociationValues()) {
                    ids.computeIfAbsent(its, key -> new HashSet<>()).add(saga.getSagaIdentifier());
                }
            }
            nameless.clear();
            return ids.getOrDefault(association, Set.of());
        }
    }
}
