package lottery.store.saga;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.axonframework.config.Configuration;
import org.axonframework.modelling.saga.SagaStorageException;

/** Holds all types of sagas that have a name. */
final class SagaTypeRegistry {

    private final SagaNames types;
    private final Supplier<Configuration> axon;
    private final Map<Class<?>, SagaType<?>> kinds = new ConcurrentHashMap<>();

    /**
     * @param axon supplies the configuration that resolves the parameters of saga methods; called only when all of it
     *     exists
     */
    SagaTypeRegistry(SagaNames types, Supplier<Configuration> axon) {
        this.types = types;
        this.axon = axon;
    }

    @SuppressWarnings("unchecked") // Each type is stored under its own class.
    <T> SagaType<T> of(Class<T> type) {
        return (SagaType<T>) kinds.computeIfAbsent(type, this::inspect);
    }

    private SagaType<?> inspect(Class<?> type) {
        String name = types.nameOf(type)
                .orElseThrow(() -> new SagaStorageException(type.getName() + " has no stable name as a saga"));
        return SagaType.of(name, type, axon.get());
    }

    Stream<SagaType<?>> due() {
        return types.all().stream().<SagaType<?>>map(this::of).filter(SagaType::isDue);
    }
}
