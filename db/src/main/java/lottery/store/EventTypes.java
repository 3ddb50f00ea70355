package lottery.store;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The stable names of events. The log stores the name and never the class. A class may be renamed or moved, but its
 * stable name never changes. The application provides one bean of this type.
 */
public final class EventTypes {

    record NamedEventType(String name, int revision) {}

    private final Map<String, Class<?>> classes;
    private final Map<Class<?>, NamedEventType> types = new HashMap<>();

    private EventTypes(Map<String, Class<?>> classes, ToIntFunction<Class<?>> revision) {
        this.classes = Map.copyOf(classes);
        this.classes.forEach((name, type) -> types.put(type, new NamedEventType(name, revision.applyAsInt(type))));
        if (types.size() != classes.size()) {
            throw new IllegalArgumentException("an event has two names among " + classes.keySet());
        }
    }

    /**
     * Creates the registry of an application.
     *
     * @param classes stable name to class
     * @param revision returns the revision that is stored with new events of a class
     */
    public static EventTypes of(Map<String, Class<?>> classes, ToIntFunction<Class<?>> revision) {
        return new EventTypes(classes, revision);
    }

    /** Returns the stable names of all event classes that match. */
    public Set<String> namesOf(Predicate<Class<?>> which) {
        Set<String> names = new TreeSet<>();
        classes.forEach((name, type) -> {
            if (which.test(type)) {
                names.add(name);
            }
        });
        return names;
    }

    Optional<NamedEventType> typeOf(Class<?> event) {
        return Optional.ofNullable(types.get(event));
    }

    /** Returns the class of a stored event; empty if its name is unknown, or its revision is newer than the class. */
    Optional<Class<?>> classOf(String name, @Nullable String revision) {
        Class<?> type = classes.get(name);
        return type == null || isNewer(revision, type) ? Optional.empty() : Optional.of(type);
    }

    private boolean isNewer(@Nullable String revision, Class<?> type) {
        NamedEventType known = types.get(type);
        return revision != null && known != null && Integer.parseInt(revision) > known.revision();
    }
}
