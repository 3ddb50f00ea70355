package lottery.messaging;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.Producer;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.core.DefaultKafkaProducerFactory;
import org.springframework.kafka.core.ProducerPostProcessor;

/**
 * Passes all calls on to a producer, and has a new one made when Kafka refuses it. An idempotent producer whose login
 * was refused once may fail for ever, whatever Kafka says later.
 */
final class RenewableProducer implements InvocationHandler {

    private final Producer<?, ?> producer;
    private final Renewal<?, ?> renewal;

    private RenewableProducer(Producer<?, ?> producer, Renewal<?, ?> renewal) {
        this.producer = producer;
        this.renewal = renewal;
    }

    /** Has the producers of a factory renewed. A copy of the factory needs a renewal of its own. */
    static <K, V> void renew(DefaultKafkaProducerFactory<K, V> factory, BrokerAccess.Client access) {
        List.copyOf(factory.getPostProcessors()).stream()
                .filter(Renewal.class::isInstance)
                .forEach(factory::removePostProcessor);
        factory.addPostProcessor(new Renewal<>(factory, access));
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) throws Throwable {
        try {
            return method.invoke(producer, arguments == null ? null : watched(arguments));
        } catch (InvocationTargetException failed) {
            renewal.failed(producer, failed.getCause());
            throw failed.getCause();
        }
    }

    /** Most failures come to the callback of a message. */
    private Object[] watched(Object[] arguments) {
        Object[] watched = arguments.clone();
        for (int i = 0; i < watched.length; i++) {
            if (watched[i] instanceof Callback callback) {
                watched[i] = (Callback) (place, failure) -> {
                    renewal.ended(producer, failure);
                    callback.onCompletion(place, failure);
                };
            }
        }
        return watched;
    }

    /** The renewal of a factory's producers. */
    private static final class Renewal<K, V> implements ProducerPostProcessor<K, V> {

        /** Is short beside the pauses of those who send. Refused messages may come by the hundred. */
        private static final Duration PAUSE = Duration.ofSeconds(2);

        private final DefaultKafkaProducerFactory<K, V> factory;
        private final BrokerAccess.Client access;
        private volatile @Nullable Producer<?, ?> current;
        private final AtomicLong renewedNanos = new AtomicLong(System.nanoTime() - PAUSE.toNanos());

        private Renewal(DefaultKafkaProducerFactory<K, V> factory, BrokerAccess.Client access) {
            this.factory = factory;
            this.access = access;
        }

        @Override
        @SuppressWarnings("unchecked")
        public Producer<K, V> apply(Producer<K, V> producer) {
            current = producer;
            return (Producer<K, V>) Proxy.newProxyInstance(
                    RenewableProducer.class.getClassLoader(),
                    new Class<?>[] {Producer.class},
                    new RenewableProducer(producer, this));
        }

        private void ended(Producer<?, ?> producer, @Nullable Exception failure) {
            if (failure == null) {
                access.answered();
            } else {
                failed(producer, failure);
            }
        }

        /** Lets the factory forget the producer, on another thread: this one may be the producer's own. */
        private void failed(Producer<?, ?> producer, @Nullable Throwable failure) {
            long before = renewedNanos.get();
            if (access.failed(failure)
                    && Objects.equals(producer, current)
                    && System.nanoTime() - before >= PAUSE.toNanos()
                    && renewedNanos.compareAndSet(before, System.nanoTime())) {
                Thread.ofVirtual().name("kafka-renewal").start(factory::reset);
            }
        }
    }
}
