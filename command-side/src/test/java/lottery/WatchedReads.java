package lottery;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.BeanPostProcessor;

/** Records the streams of users that are read from the event store: each read costs a draw a database query. */
final class WatchedReads implements BeanPostProcessor {

    private final List<String> read = new CopyOnWriteArrayList<>();
    private volatile boolean isWatching;

    /** Returns the streams read during the work, by any thread. Activities may be read in the background. */
    List<String> during(Runnable work) {
        read.clear();
        isWatching = true;
        try {
            work.run();
        } finally {
            isWatching = false;
        }
        return List.copyOf(read);
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
        return bean instanceof EventStore store ? watch(store) : bean;
    }

    private EventStore watch(EventStore store) {
        return (EventStore) Proxy.newProxyInstance(
                EventStore.class.getClassLoader(), new Class<?>[] {EventStore.class}, (_, method, arguments) -> {
                    note(method, arguments);
                    return call(store, method, arguments);
                });
    }

    private void note(Method method, Object @Nullable [] arguments) {
        boolean isRead =
                method.getName().equals("readEvents") || method.getName().equals("lastSequenceNumberFor");
        if (isWatching && isRead && arguments != null && arguments[0] instanceof String id && isOfUser(id)) {
            read.add(id);
        }
    }

    private static boolean isOfUser(String id) {
        return !id.startsWith("activity:") && !id.startsWith("strategy:");
    }

    private static @Nullable Object call(EventStore store, Method method, Object @Nullable [] arguments)
            throws Throwable {
        try {
            return method.invoke(store, arguments);
        } catch (InvocationTargetException e) {
            throw e.getTargetException();
        }
    }
}
