package lottery.store.saga;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The stable names of sagas. The table stores the name and never the class, because a class may be renamed or moved
 * while its sagas are under way. An application with sagas provides one bean of this type.
 */
public final class SagaNames {

    private final Map<String, Class<?>> classes;
    private final Map<Class<?>, String> names = new HashMap<>();

    private SagaNames(Map<String, Class<?>> classes) {
        this.classes = Map.copyOf(classes);
        this.classes.forEach((name, type) -> names.put(type, name));
        if (names.size() != classes.size()) {
            throw new IllegalArgumentException("a saga has two names among " + classes.keySet());
        }
    }

    /**
     * Creates the registry of an application.
     *
     * @param classes stable name to class
     */
    public static SagaNames of(Map<String, Class<?>> classes) {
        return new SagaNames(classes);
    }

    Optional<String> nameOf(Class<?> saga) {
        return Optional.ofNullable(names.get(saga));
    }

    Set<Class<?>> all() {
        return Set.copyOf(classes.values());
    }
}
