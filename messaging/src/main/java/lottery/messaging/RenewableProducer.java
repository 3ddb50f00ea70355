package lottery.messaging;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.Producer;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.core.DefaultKafkaProducerFactory;
import org.springframework.kafka.core.ProducerPostProcessor;

/**
 * Passes all calls on to a producer, and has a new one made when Kafka refuses it. An idempotent producer that is
 * refused before it has its id never asks for one again, and all its messages expire, whatever Kafka says later. It may
 * have been refused in the background. So a producer is replaced, too, if a message fails before any has arrived.
 */
final class RenewableProducer implements InvocationHandler {

    private final Producer<?, ?> producer;
    private final Renewal<?, ?> renewal;
    private volatile boolean hasDelivered;

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
            failed(failed.getCause());
            throw failed.getCause();
        }
    }

    /** Most failures come to the callback of a message. */
    private Object[] watched(Object[] arguments) {
        Object[] watched = arguments.clone();
        for (int i = 0; i < watched.length; i++) {
            if (watched[i] instanceof Callback callback) {
                watched[i] = (Callback) (place, failure) -> {
                    if (failure == null) {
                        hasDelivered = true;
                        renewal.access.answered();
                    } else {
                        failed(failure);
                    }
                    callback.onCompletion(place, failure);
                };
            }
        }
        return watched;
    }

    private void failed(@Nullable Throwable failure) {
        if (renewal.access.failed(failure) || !hasDelivered) {
            renewal.replace(producer);
        }
    }

    /** The renewal of a factory's producers. */
    private static final class Renewal<K, V> implements ProducerPostProcessor<K, V> {

        /** Is short beside the pauses of those who send. Refused messages may come by the hundred. */
        private static final Duration PAUSE = Duration.ofSeconds(2);

        private final DefaultKafkaProducerFactory<K, V> factory;
        private final BrokerAccess.Client access;
        private final AtomicBoolean isAwaited = new AtomicBoolean();
        private volatile @Nullable Producer<?, ?> current;
        private volatile long renewedNanos = System.nanoTime() - PAUSE.toNanos();

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

        /**
         * Lets the factory forget the producer, at once or after a pause since the one before. It does so on another
         * thread: this one may be the producer's own.
         */
        private void replace(Producer<?, ?> producer) {
            if (producer.equals(current) && isAwaited.compareAndSet(false, true)) {
                long pause = PAUSE.toNanos() - (System.nanoTime() - renewedNanos);
                CompletableFuture.delayedExecutor(Math.max(0, pause), TimeUnit.NANOSECONDS, Thread::startVirtualThread)
                        .execute(this::reset);
            }
        }

        private void reset() {
            renewedNanos = System.nanoTime();
            isAwaited.set(false);
            factory.reset();
        }
    }
}
