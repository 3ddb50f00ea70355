package lottery.messaging;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.apache.kafka.clients.consumer.Consumer;
import org.jspecify.annotations.Nullable;

/** Delegates all calls to a consumer, and records when Kafka refuses its login or its rights. */
final class AccessRefusalDetectingConsumer implements InvocationHandler {

    private final Consumer<?, ?> consumer;
    private final KafkaAccessMonitor.MonitoredClient access;

    private AccessRefusalDetectingConsumer(Consumer<?, ?> consumer, KafkaAccessMonitor.MonitoredClient access) {
        this.consumer = consumer;
        this.access = access;
    }

    @SuppressWarnings("unchecked")
    static <K, V> Consumer<K, V> of(Consumer<K, V> consumer, KafkaAccessMonitor access) {
        return (Consumer<K, V>) Proxy.newProxyInstance(
                AccessRefusalDetectingConsumer.class.getClassLoader(),
                new Class<?>[] {Consumer.class},
                new AccessRefusalDetectingConsumer(consumer, access.consumer()));
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) throws Throwable {
        try {
            Object answer = method.invoke(consumer, arguments);
            if (method.getName().equals("poll")) { // Most other methods send no request to Kafka.
                access.answered();
            }
            return answer;
        } catch (InvocationTargetException failed) {
            var _ = access.failed(failed.getCause());
            throw failed.getCause();
        } finally {
            if (method.getName().equals("close")) {
                access.closed();
            }
        }
    }
}
