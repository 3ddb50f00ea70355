package lottery.messaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.kafka.core.KafkaTemplate;

@DisplayName("A message to Kafka")
@Timeout(20)
class KafkaMessagePublisherTest {

    private static final String OF_THE_CLIENT = "kafka-producer-network-thread | lottery-producer-1";

    private final RecordingProducer client = new RecordingProducer();
    private final KafkaMessagePublisher post = new KafkaMessagePublisher(new KafkaTemplate<>(() -> client));

    /** Records the threads that send. */
    private static class RecordingProducer extends MockProducer<String, byte[]> {

        private final List<Thread> senders = new CopyOnWriteArrayList<>();
        private boolean isAway;

        RecordingProducer() {
            this(true);
        }

        /** @param isSwift whether messages arrive at once, and not only after a flush */
        RecordingProducer(boolean isSwift) {
            super(isSwift, null, new StringSerializer(), new ByteArraySerializer());
        }

        @Override
        public synchronized Future<RecordMetadata> send(ProducerRecord<String, byte[]> message, Callback callback) {
            senders.add(Thread.currentThread());
            if (isAway) {
                throw new TimeoutException("the topic is not known");
            }
            return super.send(message, callback);
        }
    }

    private static OutgoingMessage message(String id) {
        return new OutgoingMessage("topic", "ann", id, "type", "source", "subject", Instant.EPOCH, "content");
    }

    private CompletableFuture<?> sentBy(String thread) throws Exception {
        FutureTask<CompletableFuture<?>> sending = new FutureTask<>(() -> post.send(message("1")));
        Thread.ofPlatform().name(thread).start(sending);
        return sending.get(5, TimeUnit.SECONDS);
    }

    @Test
    @DisplayName("A message is sent on its caller's thread.")
    void direct() throws Exception {
        post.send(message("1")).get(5, TimeUnit.SECONDS);
        assertThat(client.senders).containsExactly(Thread.currentThread());
    }

    @Test
    @DisplayName(
            "A message that follows another one is not sent on the client's thread, which reports the other's arrival.")
    void chained() throws Exception {
        sentBy(OF_THE_CLIENT).get(5, TimeUnit.SECONDS);
        assertThat(client.history()).hasSize(1);
        assertThat(client.senders).singleElement().satisfies(sender -> {
            assertThat(sender.isVirtual()).isTrue();
            assertThat(sender.getName()).doesNotStartWith(OF_THE_CLIENT);
        });
    }

    @Test
    @DisplayName("A message that follows another one and cannot be sent fails with the client's reason.")
    void chainedInVain() throws Exception {
        client.isAway = true;
        CompletableFuture<?> sent = sentBy(OF_THE_CLIENT);
        assertThatThrownBy(() -> sent.get(5, TimeUnit.SECONDS)).hasRootCauseInstanceOf(TimeoutException.class);
    }

    @Test
    @DisplayName("A waiting message is sent when it is known that no others will come.")
    void departs() throws Exception {
        RecordingProducer patient = new RecordingProducer(false);
        KafkaMessagePublisher waiting = new KafkaMessagePublisher(new KafkaTemplate<>(() -> patient));
        CompletableFuture<?> sent = waiting.send(message("1"));
        assertThat(sent).isNotDone();
        waiting.flush();
        sent.get(5, TimeUnit.SECONDS);
    }

    @Test
    @Timeout(10)
    @DisplayName("A flush does not block its caller, whatever the client waits for.")
    void departsInVain() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch over = new CountDownLatch(1);
        RecordingProducer stuck = new RecordingProducer(false) {
            @Override
            public synchronized void flush() {
                asked.countDown();
                try {
                    over.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
        };
        new KafkaMessagePublisher(new KafkaTemplate<>(() -> stuck)).flush();
        assertThat(asked.await(5, TimeUnit.SECONDS)).isTrue();
        over.countDown();
    }

    @Test
    @DisplayName("The client's thread that reports arrivals has the known name.")
    void name() {
        Map<String, Object> nobodyThere = Map.of("bootstrap.servers", "localhost:1", "client.id", "named");
        try (var real = new KafkaProducer<>(nobodyThere, new StringSerializer(), new ByteArraySerializer())) {
            assertThat(Thread.getAllStackTraces().keySet())
                    .extracting(Thread::getName)
                    .contains(KafkaProducer.NETWORK_THREAD_PREFIX + " | named");
            real.close(Duration.ZERO);
        }
    }
}
