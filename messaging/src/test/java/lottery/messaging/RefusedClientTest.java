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
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import lottery.store.processing.FailureClassifier;
import lottery.store.processing.OutageClassifier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;
import org.springframework.boot.health.contributor.Status;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
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

    private final SaslAuthenticationException refusal =
            new SaslAuthenticationException("Authentication failed: Invalid username or password");

    private final KafkaClientConfiguration configuration = new KafkaClientConfiguration();
    private final KafkaAccessHealthIndicator access = new KafkaAccessHealthIndicator();

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

    private static MockProducer<String, byte[]> producer() {
        return new MockProducer<>(true, null, new StringSerializer(), new ByteArraySerializer());
    }

    @Test
    @DisplayName("A consumer that is refused asks again, reads on when it is let in, and meanwhile the health says it.")
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
                return broker;
            }
        };
        try (var context = new AnnotationConfigApplicationContext(KafkaAccessHealthIndicator.class)) {
            KafkaAccessHealthIndicator health = context.getBean(KafkaAccessHealthIndicator.class);
            assertThat(health.health().getStatus()).isEqualTo(Status.UP);
            var container = new ConcurrentMessageListenerContainer<>(consumers, properties);
            container.setApplicationEventPublisher(context);
            configuration.readers().configure(container);
            container.setConcurrency(1);
            container.start();
            try {
                await().atMost(Duration.ofSeconds(20)).until(() -> !read.isEmpty());
                assertThat(health.health().getStatus()).isEqualTo(Status.DOWN);
                assertThat(container.isRunning()).isTrue();
            } finally {
                container.stop();
            }
        }
    }

    @Test
    @DisplayName("A refusal counts for half a minute, and is logged once with an advice, however often it is repeated.")
    void counts() {
        AtomicLong now = new AtomicLong(Long.MAX_VALUE - 5);
        KafkaAccessHealthIndicator access = new KafkaAccessHealthIndicator(now::get);
        Logger logger = (Logger) LoggerFactory.getLogger(KafkaAccessHealthIndicator.class);
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        log.start();
        logger.addAppender(log);
        try {
            for (int i = 0; i < 10; i++) {
                now.addAndGet(TimeUnit.SECONDS.toNanos(29));
                access.refused();
                assertThat(access.health().getStatus()).isEqualTo(Status.DOWN);
            }
            assertThat(log.list)
                    .extracting(ILoggingEvent::getFormattedMessage)
                    .containsExactly("Kafka refuses this process. It tries again."
                            + " Check its password, its certificate and its rights.");
            now.addAndGet(TimeUnit.SECONDS.toNanos(30));
            assertThat(access.health().getStatus()).isEqualTo(Status.UP);
            access.refused();
            assertThat(log.list).hasSize(2);
        } finally {
            logger.detachAppender(log);
        }
    }

    @Test
    @DisplayName("A producer whose login is refused sends nothing and is closed, and its sender hears of an outage.")
    void refusedProducer() {
        Producers producers = new Producers();
        configuration.producersThatAreLetIn(access).customize(producers);
        MockProducer<String, byte[]> refused = producer();
        refused.partitionsForException = refusal;
        producers.next.add(refused);
        KafkaTemplate<String, byte[]> kafka = new KafkaTemplate<>(producers);

        assertThatThrownBy(() -> kafka.send(TOPIC, "one".getBytes(UTF_8)))
                .satisfies(failure -> assertThat(isOutage(failure)).isTrue());
        assertThat(refused.history()).isEmpty();
        assertThat(refused.closed()).isTrue();
        assertThat(access.health().getStatus()).isEqualTo(Status.DOWN);
    }

    @Test
    @DisplayName("A producer that does not reach Kafka is closed, and the next one is tried after a pause.")
    void producerWithoutKafka() {
        Producers producers = new Producers();
        configuration.producersThatAreLetIn(access).customize(producers);
        MockProducer<String, byte[]> away = producer();
        away.partitionsForException = new TimeoutException("no answer");
        MockProducer<String, byte[]> tooEarly = producer();
        producers.next.addAll(List.of(away, tooEarly));
        KafkaTemplate<String, byte[]> kafka = new KafkaTemplate<>(producers);

        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> kafka.send(TOPIC, "one".getBytes(UTF_8)))
                    .satisfies(failure -> assertThat(isOutage(failure)).isTrue());
        }
        assertThat(away.closed()).isTrue();
        assertThat(tooEarly.closed()).isTrue();
        assertThat(access.health().getStatus()).isEqualTo(Status.UP);
        await().atMost(Duration.ofSeconds(20)).ignoreExceptions().until(() -> {
            producers.next.add(producer());
            return kafka.send(TOPIC, "two".getBytes(UTF_8)).get(5, TimeUnit.SECONDS) != null;
        });
    }

    @Test
    @DisplayName("A producer without a right is kept, and the health says that a right is missing.")
    void producerWithoutRight() {
        Producers producers = new Producers();
        configuration.producersThatAreLetIn(access).customize(producers);
        MockProducer<String, byte[]> only = producer();
        only.partitionsForException = new TopicAuthorizationException(KafkaTopics.EVENTS);
        producers.next.add(only);
        KafkaTemplate<String, byte[]> kafka = new KafkaTemplate<>(producers);

        for (int i = 0; i < 2; i++) {
            assertThat(kafka.send(TOPIC, "one".getBytes(UTF_8))).succeedsWithin(Duration.ofSeconds(5));
        }
        assertThat(only.closed()).isFalse();
        assertThat(access.health().getStatus()).isEqualTo(Status.DOWN);
    }

    @Test
    @DisplayName("A producer whose topic is not there yet is kept, because Kafka has let it in.")
    void producerWithoutTopic() {
        Producers producers = new Producers();
        configuration.producersThatAreLetIn(access).customize(producers);
        MockProducer<String, byte[]> only = producer();
        only.partitionsForException =
                new TimeoutException("no topic in time", new UnknownTopicOrPartitionException("no such topic"));
        producers.next.add(only);
        KafkaTemplate<String, byte[]> kafka = new KafkaTemplate<>(producers);

        assertThat(kafka.send(TOPIC, "one".getBytes(UTF_8))).succeedsWithin(Duration.ofSeconds(5));
        assertThat(only.closed()).isFalse();
        assertThat(access.health().getStatus()).isEqualTo(Status.UP);
    }

    /** Returns whether a processor would wait for the end of a failure, as {@link FailureClassifier} decides. */
    private static boolean isOutage(Throwable failure) {
        OutageClassifier outages = new KafkaDeadLetterConfiguration().brokerOutages();
        return Stream.iterate(failure, Objects::nonNull, Throwable::getCause).anyMatch(outages::isOutage);
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
        configuration.producersThatAreLetIn(access).customize(producers);
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
}
