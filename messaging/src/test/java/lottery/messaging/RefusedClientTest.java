package lottery.messaging;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import lottery.store.processing.FailureClassifier;
import lottery.store.processing.OutageClassifier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;
import org.springframework.kafka.core.DefaultKafkaConsumerFactory;
import org.springframework.kafka.core.DefaultKafkaProducerFactory;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.core.ProducerPostProcessor;
import org.springframework.kafka.listener.ConcurrentMessageListenerContainer;
import org.springframework.kafka.listener.ContainerProperties;
import org.springframework.kafka.listener.MessageListener;

@DisplayName("A client that Kafka refuses")
@Timeout(60)
class RefusedClientTest {

    private static final String TOPIC = "messages";
    private static final TopicPartition PLACE = new TopicPartition(TOPIC, 0);
    private static final Duration SOON = Duration.ofSeconds(30);

    private final SaslAuthenticationException refusal =
            new SaslAuthenticationException("Authentication failed: Invalid username or password");

    private final KafkaClientConfiguration configuration = new KafkaClientConfiguration();
    private final KafkaAccessMonitor access = new KafkaAccessMonitor();

    /** Makes producers of the test, in their order. */
    private static final class Producers extends DefaultKafkaProducerFactory<String, byte[]> {

        private final Queue<Producer<String, byte[]>> next = new ArrayDeque<>();

        private Producers() {
            super(Map.of());
        }

        @Override
        protected Producer<String, byte[]> createRawProducer(Map<String, Object> settings) {
            Producer<String, byte[]> producer = next.remove();
            for (ProducerPostProcessor<String, byte[]> each : getPostProcessors()) {
                producer = each.apply(producer);
            }
            return producer;
        }
    }

    private static MockProducer<String, byte[]> producer(boolean arrivesAtOnce) {
        return new MockProducer<>(arrivesAtOnce, null, new StringSerializer(), new ByteArraySerializer());
    }

    @Test
    @DisplayName("A consumer that is refused asks again, and reads on when it is let in.")
    void consumer() {
        MockConsumer<Object, Object> broker = new MockConsumer<>("earliest");
        broker.updateBeginningOffsets(Map.of(PLACE, 0L));
        broker.schedulePollTask(() -> broker.rebalance(List.of(PLACE)));
        broker.schedulePollTask(() -> broker.setPollException(refusal));
        broker.schedulePollTask(() -> broker.addRecord(new ConsumerRecord<>(TOPIC, 0, 0, "key", "content")));
        Queue<Object> read = new ConcurrentLinkedQueue<>();
        ContainerProperties properties = new ContainerProperties(TOPIC);
        properties.setGroupId("readers");
        properties.setMessageListener((MessageListener<Object, Object>) message -> read.add(message.value()));
        DefaultKafkaConsumerFactory<Object, Object> consumers = new DefaultKafkaConsumerFactory<>(Map.of()) {
            @Override
            protected Consumer<Object, Object> createRawConsumer(Map<String, Object> settings) {
                return AccessRefusalDetectingConsumer.of(broker, access);
            }
        };
        var container = new ConcurrentMessageListenerContainer<>(consumers, properties);
        configuration.readers().configure(container);
        container.setConcurrency(1);
        container.start();
        try {
            await().atMost(Duration.ofSeconds(20)).until(() -> !read.isEmpty());
            assertThat(container.isRunning()).isTrue();
        } finally {
            container.stop();
        }
    }

    @Test
    @DisplayName("A producer whose message was refused is replaced by a new one.")
    void producerOfARefusedMessage() {
        Producers producers = new Producers();
        configuration.refusedProducers(access).customize(producers);
        MockProducer<String, byte[]> first = producer(false);
        producers.next.add(first);
        producers.next.add(producer(true));
        KafkaTemplate<String, byte[]> kafka = new KafkaTemplate<>(producers);

        var refused = kafka.send(TOPIC, "one".getBytes(UTF_8));
        first.errorNext(refusal);
        assertThatThrownBy(() -> refused.get(5, TimeUnit.SECONDS)).hasRootCause(refusal);

        await().atMost(Duration.ofSeconds(5)).until(first::closed);
        assertThat(kafka.send(TOPIC, "two".getBytes(UTF_8))).succeedsWithin(Duration.ofSeconds(5));
    }

    @Test
    @DisplayName("A producer that has given itself up after a refusal is replaced by a new one.")
    void producerThatHasGivenUp() {
        Producers producers = new Producers();
        configuration.refusedProducers(access).customize(producers);
        MockProducer<String, byte[]> first = producer(true);
        first.sendException = new KafkaException("we are in an error state", refusal);
        producers.next.add(first);
        producers.next.add(producer(true));
        KafkaTemplate<String, byte[]> kafka = new KafkaTemplate<>(producers);

        assertThatThrownBy(() -> kafka.send(TOPIC, "one".getBytes(UTF_8))).hasRootCause(refusal);

        await().atMost(Duration.ofSeconds(5)).until(first::closed);
        assertThat(kafka.send(TOPIC, "two".getBytes(UTF_8))).succeedsWithin(Duration.ofSeconds(5));
    }

    @Test
    @DisplayName("A producer that was refused in the background, so that its first message expires, is replaced.")
    void producerOfAnExpiredMessage() {
        Producers producers = new Producers();
        configuration.refusedProducers(access).customize(producers);
        MockProducer<String, byte[]> first = producer(false);
        producers.next.add(first);
        MockProducer<String, byte[]> second = producer(false);
        producers.next.add(second);
        producers.next.add(producer(true));
        KafkaTemplate<String, byte[]> kafka = new KafkaTemplate<>(producers);

        // The second is replaced as well, although it fails soon after the first.
        for (MockProducer<String, byte[]> each : List.of(first, second)) {
            var expired = kafka.send(TOPIC, "one".getBytes(UTF_8));
            each.errorNext(new TimeoutException("Expiring 1 record"));
            assertThatThrownBy(() -> expired.get(5, TimeUnit.SECONDS)).isNotNull();
            await().atMost(Duration.ofSeconds(5)).until(each::closed);
        }
        assertThat(kafka.send(TOPIC, "two".getBytes(UTF_8))).succeedsWithin(Duration.ofSeconds(5));
    }

    @Test
    @DisplayName("A producer is kept when a message fails for another reason.")
    void producerThatIsKept() {
        Producers producers = new Producers();
        configuration.refusedProducers(access).customize(producers);
        MockProducer<String, byte[]> only = producer(false);
        producers.next.add(only);
        KafkaTemplate<String, byte[]> kafka = new KafkaTemplate<>(producers);

        var first = kafka.send(TOPIC, "one".getBytes(UTF_8));
        only.completeNext();
        assertThat(first).succeedsWithin(Duration.ofSeconds(5));
        var failed = kafka.send(TOPIC, "two".getBytes(UTF_8));
        only.errorNext(new TimeoutException("the broker is away"));
        assertThatThrownBy(() -> failed.get(5, TimeUnit.SECONDS)).isNotNull();

        var sent = kafka.send(TOPIC, "three".getBytes(UTF_8));
        only.completeNext();
        assertThat(sent).succeedsWithin(Duration.ofSeconds(5));
    }

    /** Lets a second sender wait for the broker until the producer is closed, like the producer of Kafka. */
    private static final class WaitingProducer extends MockProducer<String, byte[]> {

        private final AtomicInteger sent = new AtomicInteger();
        private final CountDownLatch hasWaiter = new CountDownLatch(1);
        private final CountDownLatch isClosed = new CountDownLatch(1);

        private WaitingProducer() {
            super(false, null, new StringSerializer(), new ByteArraySerializer());
        }

        @Override
        @SuppressWarnings("UnsynchronizedOverridesSynchronized") // The second sender waits without the lock.
        public Future<RecordMetadata> send(ProducerRecord<String, byte[]> message, Callback callback) {
            if (sent.incrementAndGet() == 1) {
                return super.send(message, callback);
            }
            hasWaiter.countDown();
            await().atMost(Duration.ofSeconds(20)).until(() -> isClosed.getCount() == 0);
            throw new KafkaException("Producer closed while send in progress");
        }

        @Override
        @SuppressWarnings("UnsynchronizedOverridesSynchronized")
        public void close(Duration timeout) {
            super.close(timeout);
            isClosed.countDown();
        }
    }

    /** Returns whether a processor would wait for the end of a failure, as {@link FailureClassifier} decides. */
    private static boolean isOutage(Throwable failure) {
        OutageClassifier outages = new KafkaDeadLetterConfiguration().brokerOutages();
        return Stream.iterate(failure, Objects::nonNull, Throwable::getCause).anyMatch(outages::isOutage);
    }

    @Test
    @DisplayName("Another sender of a replaced producer hears of an outage, and its failure does not end the next one.")
    void anotherSender() throws Exception {
        Producers producers = new Producers();
        configuration.refusedProducers(access).customize(producers);
        WaitingProducer first = new WaitingProducer();
        MockProducer<String, byte[]> second = producer(false);
        producers.next.add(first);
        producers.next.add(second);
        KafkaTemplate<String, byte[]> kafka = new KafkaTemplate<>(producers);

        var _ = kafka.send(TOPIC, "one".getBytes(UTF_8));
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<?> other = threads.submit(
                    () -> kafka.send(TOPIC, "two".getBytes(UTF_8)).get(10, TimeUnit.SECONDS));
            assertThat(first.hasWaiter.await(5, TimeUnit.SECONDS)).isTrue();
            Producer<String, byte[]> late = producers.createProducer();
            first.errorNext(new TimeoutException("Topic messages not present in metadata after 5000 ms."));
            assertThatThrownBy(() -> other.get(5, TimeUnit.SECONDS))
                    .satisfies(failure -> assertThat(isOutage(failure)).isTrue());
            var message = new ProducerRecord<String, byte[]>(TOPIC, "three".getBytes(UTF_8));
            assertThatThrownBy(() -> late.send(message))
                    .satisfies(failure -> assertThat(isOutage(failure)).isTrue());
        }

        var sent = kafka.send(TOPIC, "four".getBytes(UTF_8));
        await().during(Duration.ofSeconds(3)).atMost(SOON).until(() -> !second.closed());
        second.completeNext();
        assertThat(sent).succeedsWithin(Duration.ofSeconds(5));
    }

    @Test
    @DisplayName("Two senders of a real producer hear of an outage while no broker answers.")
    void withoutBroker() throws Exception {
        int nobody;
        try (ServerSocket port = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            nobody = port.getLocalPort();
        }
        var producers = new DefaultKafkaProducerFactory<>(
                Map.of(
                        ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
                        "127.0.0.1:" + nobody,
                        ProducerConfig.MAX_BLOCK_MS_CONFIG,
                        3_000),
                new StringSerializer(),
                new ByteArraySerializer());
        configuration.refusedProducers(access).customize(producers);
        KafkaTemplate<String, byte[]> kafka = new KafkaTemplate<>(producers);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> senders = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                senders.add(threads.submit(
                        () -> kafka.send(TOPIC, "one".getBytes(UTF_8)).get(10, TimeUnit.SECONDS)));
                await().pollDelay(Duration.ofSeconds(2)).until(() -> true);
            }
            for (Future<?> sender : senders) {
                assertThatThrownBy(() -> sender.get(10, TimeUnit.SECONDS))
                        .satisfies(failure -> assertThat(isOutage(failure)).isTrue());
            }
        } finally {
            producers.destroy();
        }
    }

    @Test
    @DisplayName("A producer that delivers during the pause before its replacement is kept.")
    void producerThatIsSlow() {
        Producers producers = new Producers();
        // Long enough for a busy machine to deliver in it.
        Duration pause = Duration.ofSeconds(5);
        RenewableProducer.renew(producers, access.producer(), pause);
        MockProducer<String, byte[]> first = producer(false);
        MockProducer<String, byte[]> slow = producer(false);
        producers.next.add(first);
        producers.next.add(slow);
        KafkaTemplate<String, byte[]> kafka = new KafkaTemplate<>(producers);

        var _ = kafka.send(TOPIC, "one".getBytes(UTF_8));
        first.errorNext(new TimeoutException("Expiring 1 record"));
        await().atMost(Duration.ofSeconds(5)).until(first::closed);
        var _ = kafka.send(TOPIC, "two".getBytes(UTF_8));
        slow.errorNext(new TimeoutException("Expiring 1 record"));
        var sent = kafka.send(TOPIC, "three".getBytes(UTF_8));
        slow.completeNext();
        assertThat(sent).succeedsWithin(Duration.ofSeconds(5));
        await().during(pause.plusSeconds(1)).atMost(SOON).until(() -> !slow.closed());
    }

    @Test
    @DisplayName("A missing right on one topic does not end the producer of all topics.")
    void missingRight() {
        Producers producers = new Producers();
        configuration.refusedProducers(access).customize(producers);
        MockProducer<String, byte[]> only = producer(false);
        producers.next.add(only);
        KafkaTemplate<String, byte[]> kafka = new KafkaTemplate<>(producers);

        for (int i = 0; i < 2; i++) {
            var refused = kafka.send(TOPIC, "one".getBytes(UTF_8));
            only.errorNext(new TopicAuthorizationException(TOPIC));
            assertThatThrownBy(() -> refused.get(5, TimeUnit.SECONDS)).isNotNull();
            var sent = kafka.send("others", "two".getBytes(UTF_8));
            only.completeNext();
            assertThat(sent).succeedsWithin(Duration.ofSeconds(5));
        }
        await().during(Duration.ofSeconds(3)).atMost(SOON).until(() -> !only.closed());
    }

    @Test
    @DisplayName("A consumer that fails while it is closed is forgotten.")
    void consumerThatFailsAtItsEnd() {
        MockConsumer<Object, Object> broker = new MockConsumer<>("earliest") {
            @Override
            @SuppressWarnings("UnsynchronizedOverridesSynchronized")
            public void close() {
                throw refusal;
            }
        };
        KafkaAccessMonitor.MonitoredClient producer = access.producer();
        assertThat(producer.failed(refusal)).isTrue();
        assertThatThrownBy(
                        () -> AccessRefusalDetectingConsumer.of(broker, access).close())
                .isEqualTo(refusal);
        Logger logger = (Logger) LoggerFactory.getLogger(KafkaAccessMonitor.class);
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        log.start();
        logger.addAppender(log);
        try {
            producer.answered();
            assertThat(log.list)
                    .extracting(ILoggingEvent::getFormattedMessage)
                    .containsExactly("Kafka lets this process in.");
        } finally {
            logger.detachAppender(log);
        }
    }

    @Test
    @DisplayName("A copy of a factory renews its own producers.")
    void copy() {
        Producers original = new Producers();
        access.watch(original);
        Producers copy = new Producers();
        original.getPostProcessors().forEach(copy::addPostProcessor);
        access.watch(copy);
        assertThat(copy.getPostProcessors()).hasSize(1).doesNotContainAnyElementsOf(original.getPostProcessors());
    }
}
