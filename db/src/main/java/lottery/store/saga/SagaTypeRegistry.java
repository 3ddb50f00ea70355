package lottery.store.saga;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.axonframework.config.Configuration;
import org.axonframework.modelling.saga.SagaStorageException;

/** All kinds of sagas that have a name. */
final class SagaTypeRegistry {

    private final SagaNames types;
    private final Supplier<Configuration> axon;
    private final Map<Class<?>, SagaType<?>> kinds = new ConcurrentHashMap<>();

    /** @param axon asked for what a saga's methods may be given, once all of that is there */
    SagaTypeRegistry(SagaNames types, Supplier<Configuration> axon) {
        this.types = types;
        this.axon = axon;
    }

    @SuppressWarnings("unchecked") // A kind is kept under its own type.
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
