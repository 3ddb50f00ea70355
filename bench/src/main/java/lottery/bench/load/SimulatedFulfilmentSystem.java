package lottery.bench.load;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;

/**
 * A simulated external system that hands COUPON awards over. It reads their invoices from Kafka and grants each award
 * at once.
 */
final class SimulatedFulfilmentSystem implements AutoCloseable {

    private static final String INVOICES = "lottery_invoice";
    private static final String ANSWERS = "lottery_fulfilment";
    private static final String ITS_TYPE = "COUPON";

    private static final Duration POLL_MAX = Duration.ofMillis(200);
    private static final Duration START_MAX = Duration.ofSeconds(30);
    private static final Duration END_MAX = Duration.ofSeconds(10);

    private final String servers;
    private final Thread thread =
            Thread.ofPlatform().name("downstream").daemon().unstarted(this::run);
    private final CountDownLatch reads = new CountDownLatch(1);
    private volatile boolean ends;

    private SimulatedFulfilmentSystem(String servers) {
        this.servers = servers;
    }

    static SimulatedFulfilmentSystem at(String servers) throws IOException {
        SimulatedFulfilmentSystem downstream = new SimulatedFulfilmentSystem(servers);
        downstream.thread.start();
        try {
            downstream.awaitInvoices();
            return downstream;
        } catch (IOException e) {
            downstream.close();
            throw e;
        }
    }

    private void awaitInvoices() throws IOException {
        try {
            if (!reads.await(START_MAX.toSeconds(), TimeUnit.SECONDS)) {
                throw new IOException("there are no invoices at " + servers);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted before there were invoices at " + servers);
        }
    }

    private void run() {
        try (KafkaConsumer<String, byte[]> invoices = new KafkaConsumer<>(
                        Map.of(
                                ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
                                servers,
                                ConsumerConfig.GROUP_ID_CONFIG,
                                "bench-downstream",
                                ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
                                "latest"),
                        new StringDeserializer(),
                        new ByteArrayDeserializer());
                KafkaProducer<String, byte[]> answers = new KafkaProducer<>(
                        Map.of(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, servers, ProducerConfig.LINGER_MS_CONFIG, 10),
                        new StringSerializer(),
                        new ByteArraySerializer())) {
            invoices.subscribe(List.of(INVOICES));
            while (!ends) {
                if (!invoices.assignment().isEmpty()) {
                    reads.countDown();
                }
                for (ConsumerRecord<String, byte[]> invoice : invoices.poll(POLL_MAX)) {
                    if (ITS_TYPE.equals(header(invoice, "ce_awardtype"))) {
                        var _ = answers.send(answerTo(invoice), SimulatedFulfilmentSystem::complain);
                    }
                }
            }
        }
    }

    private static ProducerRecord<String, byte[]> answerTo(ConsumerRecord<String, byte[]> invoice) {
        String record = header(invoice, "ce_subject");
        String content = "{\"awardRecordId\":\"%s\",\"result\":\"GRANTED\",\"reference\":\"bench\"}".formatted(record);
        ProducerRecord<String, byte[]> answer = new ProducerRecord<>(ANSWERS, record, content.getBytes(UTF_8));
        Map.of(
                        "ce_specversion", "1.0",
                        "ce_type", "lottery.fulfilment.v1",
                        "ce_source", "/bench",
                        "ce_id", "answer to " + header(invoice, "ce_id"),
                        "content-type", "application/json")
                .forEach((name, value) -> answer.headers().add(name, value.getBytes(UTF_8)));
        return answer;
    }

    private static void complain(@Nullable RecordMetadata sent, @Nullable Exception failure) {
        if (failure != null) {
            System.out.println("An award is not answered for: " + failure);
        }
    }

    private static String header(ConsumerRecord<?, ?> letter, String name) {
        @Nullable Header header = letter.headers().lastHeader(name);
        return header == null ? "" : new String(header.value(), UTF_8);
    }

    @Override
    public void close() {
        ends = true;
        try {
            thread.join(END_MAX);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
