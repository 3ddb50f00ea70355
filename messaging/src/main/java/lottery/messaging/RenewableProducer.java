package lottery.messaging;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.RetriableException;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.core.DefaultKafkaProducerFactory;
import org.springframework.kafka.core.ProducerPostProcessor;

/**
 * Delegates all calls to a producer, and replaces the producer when Kafka refuses it. If an idempotent producer is
 * refused before it has its producer id, it never asks for the id again. All its messages then expire, even if Kafka
 * would accept the producer later. The refusal may have happened in the background, where this class does not see it.
 * Therefore a producer is also replaced if a message fails before any message has arrived.
 *
 * <p>Other threads may be sending with a producer that is replaced. They get a retriable exception.
 */
final class RenewableProducer implements InvocationHandler {

    private final Producer<?, ?> producer;
    private final ProducerReplacer<?, ?> renewal;
    private final AtomicBoolean isRenewalAwaited = new AtomicBoolean();
    private volatile boolean hasDelivered;

    /** Whether a login was refused, or the producer has reported that it cannot send any more. */
    private volatile boolean isUseless;

    private RenewableProducer(Producer<?, ?> producer, ProducerReplacer<?, ?> renewal) {
        this.producer = producer;
        this.renewal = renewal;
    }

    /** Makes a factory replace its refused producers. A copy of the factory needs its own call. */
    static <K, V> void renew(DefaultKafkaProducerFactory<K, V> factory, KafkaAccessMonitor.MonitoredClient access) {
        renew(factory, access, ProducerReplacer.PAUSE);
    }

    /** @param pause the shortest time between two replacements */
    static <K, V> void renew(
            DefaultKafkaProducerFactory<K, V> factory, KafkaAccessMonitor.MonitoredClient access, Duration pause) {
        List.copyOf(factory.getPostProcessors()).stream()
                .filter(ProducerReplacer.class::isInstance)
                .forEach(factory::removePostProcessor);
        factory.addPostProcessor(new ProducerReplacer<>(factory, access, pause));
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) throws Throwable {
        try {
            return method.invoke(producer, arguments == null ? null : watched(arguments));
        } catch (InvocationTargetException failed) {
            Throwable failure = Objects.requireNonNull(failed.getCause());
            failed(failure);
            throw isAboutProducer(failure) ? new ProducerUnusableException(failure) : failure;
        }
    }

    /** Wraps the callbacks of messages, because most failures are reported to them. */
    private Object[] watched(Object[] arguments) {
        Object[] watched = arguments.clone();
        for (int i = 0; i < watched.length; i++) {
            if (watched[i] instanceof Callback callback) {
                watched[i] = (Callback) (place, failure) -> {
                    if (failure == null) {
                        hasDelivered = true;
                        renewal.access.answered();
                        callback.onCompletion(place, null);
                    } else {
                        failed(failure);
                        callback.onCompletion(
                                place, isAboutProducer(failure) ? new ProducerUnusableException(failure) : failure);
                    }
                };
            }
        }
        return watched;
    }

    /**
     * Records a failure. Failures of a producer that is being replaced are ignored, because closing it causes most of
     * them.
     */
    private void failed(Throwable failure) {
        if (!equals(renewal.current.get())) {
            return;
        }
        boolean isRefusal = renewal.access.failed(failure);
        if (KafkaAccessMonitor.isRefusedClient(failure) || isAboutProducer(failure)) {
            isUseless = true;
        }
        // A refused right on a topic is no reason for a replacement, because a new producer has the same rights.
        if (isUseless || (!hasDelivered && !isRefusal)) {
            renewal.replace(this);
        }
    }

    private boolean isToBeReplaced() {
        return isUseless || !hasDelivered;
    }

    /** Returns whether the producer was closed or cannot send any more. Then the message is not at fault. */
    private static boolean isAboutProducer(Throwable failure) {
        return failure.getClass().equals(KafkaException.class) || failure instanceof IllegalStateException;
    }

    /**
     * Thrown if a message was not sent because of the state of its producer. The next producer may send the message.
     */
    private static final class ProducerUnusableException extends RetriableException {

        private static final long serialVersionUID = 1;

        private ProducerUnusableException(Throwable cause) {
            super("the producer is replaced by a new one: " + cause.getMessage(), cause);
        }
    }

    /** Replaces the producers of one factory. */
    private static final class ProducerReplacer<K, V> implements ProducerPostProcessor<K, V> {

        /**
         * The shortest time between two replacements. This pause is needed, because hundreds of messages may be refused
         * at once. It is short compared with the pauses of the senders.
         */
        private static final Duration PAUSE = Duration.ofSeconds(2);

        private final DefaultKafkaProducerFactory<K, V> factory;
        private final KafkaAccessMonitor.MonitoredClient access;
        private final Duration pause;

        /** The producer that the factory gives to senders; null while it has none. */
        private final AtomicReference<@Nullable RenewableProducer> current = new AtomicReference<>();

        private volatile long renewedNanos;

        private ProducerReplacer(
                DefaultKafkaProducerFactory<K, V> factory, KafkaAccessMonitor.MonitoredClient access, Duration pause) {
            this.factory = factory;
            this.access = access;
            this.pause = pause;
            this.renewedNanos = System.nanoTime() - pause.toNanos();
        }

        @Override
        @SuppressWarnings("unchecked")
        public Producer<K, V> apply(Producer<K, V> producer) {
            RenewableProducer renewable = new RenewableProducer(producer, this);
            current.set(renewable);
            return (Producer<K, V>) Proxy.newProxyInstance(
                    RenewableProducer.class.getClassLoader(), new Class<?>[] {Producer.class}, renewable);
        }

        /**
         * Makes the factory drop the producer, at once or after a pause since the previous replacement. This runs on
         * another thread, because the current thread may be the producer's network thread.
         */
        private void replace(RenewableProducer producer) {
            if (producer.isRenewalAwaited.compareAndSet(false, true)) {
                long leftNanos = pause.toNanos() - (System.nanoTime() - renewedNanos);
                CompletableFuture.delayedExecutor(
                                Math.max(0, leftNanos), TimeUnit.NANOSECONDS, Thread::startVirtualThread)
                        .execute(() -> reset(producer));
            }
        }

        /** Drops the producer, unless the producer is usable and has delivered a message during the pause. */
        private void reset(RenewableProducer producer) {
            producer.isRenewalAwaited.set(false);
            // The factory closes the producer. The failures that this causes must not end the next producer as well.
            if (producer.isToBeReplaced() && current.compareAndSet(producer, null)) {
                renewedNanos = System.nanoTime();
                factory.reset();
            }
        }
    }
}
