package lottery.saga;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.toMap;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import lottery.messaging.AsyncMessagePublisher;
import lottery.messaging.KafkaTopics;
import lottery.messaging.OutgoingMessage;
import lottery.messaging.invoice.Invoice;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.internals.BuiltInPartitioner;
import org.apache.kafka.common.TopicPartition;
import org.springframework.kafka.config.KafkaListenerEndpointRegistry;
import org.springframework.kafka.core.KafkaAdmin;
import org.springframework.kafka.listener.MessageListenerContainer;

/** Sends invoices like a broker: several times, to any partition, and from the beginning again. */
final class InvoiceWriter {

    private static final Duration LIMIT = Duration.ofSeconds(40);
    private static final long CALL_MAX_SECONDS = 20;

    private final AsyncMessagePublisher publisher;
    private final KafkaAdmin admin;
    private final KafkaListenerEndpointRegistry readers;

    InvoiceWriter(AsyncMessagePublisher publisher, KafkaAdmin admin, KafkaListenerEndpointRegistry readers) {
        this.publisher = publisher;
        this.admin = admin;
        this.readers = readers;
    }

    void send(Invoice invoice) {
        send(invoice, invoice.userId().value());
    }

    /** Sends an invoice under any key: copies with different keys may be handled at the same time. */
    void send(Invoice invoice, String key) {
        OutgoingMessage message = new OutgoingMessage(
                KafkaTopics.INVOICE,
                key,
                invoice.awardRecordId().text() + "/invoice/" + invoice.attempt(),
                Invoice.MESSAGE_TYPE,
                "/test",
                invoice.awardRecordId().text(),
                Instant.EPOCH,
                invoice);
        try {
            publisher.send(message).get(CALL_MAX_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns keys of one partition: messages that are sent with them before the consumer starts are one batch. */
    List<String> keysOfOnePartition(String prefix, int count) {
        int partitions = partitions().size();
        return IntStream.iterate(0, i -> i + 1)
                .mapToObj(i -> prefix + i)
                .filter(key -> BuiltInPartitioner.partitionForKey(key.getBytes(UTF_8), partitions) == 0)
                .limit(count)
                .toList();
    }

    MessageListenerContainer reader(String group) {
        return readers.getListenerContainers().stream()
                .filter(container -> group.equals(container.getGroupId()))
                .findFirst()
                .orElseThrow();
    }

    void stop(String group) {
        reader(group).stop();
        await().atMost(LIMIT).until(() -> !reader(group).isRunning());
    }

    void start(String group) {
        reader(group).start();
    }

    /** Resets a consumer group, so that all messages are read again. */
    void startFromTheBeginning(String group) {
        Map<TopicPartition, OffsetAndMetadata> earliest =
                partitions().stream().collect(toMap(partition -> partition, partition -> new OffsetAndMetadata(0)));
        await("the group is empty").atMost(LIMIT).ignoreExceptions().until(() -> {
            ask(client ->
                    client.alterConsumerGroupOffsets(group, earliest).all().get(CALL_MAX_SECONDS, TimeUnit.SECONDS));
            return true;
        });
        start(group);
    }

    void awaitAllRead(String group) {
        await("all read by " + group).atMost(LIMIT).until(() -> lag(group) == 0);
    }

    private long lag(String group) {
        return ask(client -> {
            Map<TopicPartition, ListOffsetsResultInfo> ends = client.listOffsets(
                            partitions().stream().collect(toMap(each -> each, each -> OffsetSpec.latest())))
                    .all()
                    .get(CALL_MAX_SECONDS, TimeUnit.SECONDS);
            Map<TopicPartition, OffsetAndMetadata> read = client.listConsumerGroupOffsets(group)
                    .partitionsToOffsetAndMetadata()
                    .get(CALL_MAX_SECONDS, TimeUnit.SECONDS);
            return ends.entrySet().stream()
                    .mapToLong(end -> {
                        OffsetAndMetadata at = read.get(end.getKey());
                        return end.getValue().offset() - (at == null ? 0 : at.offset());
                    })
                    .sum();
        });
    }

    private List<TopicPartition> partitions() {
        int count = requireNonNull(admin.describeTopics(KafkaTopics.INVOICE).get(KafkaTopics.INVOICE))
                .partitions()
                .size();
        return IntStream.range(0, count)
                .mapToObj(number -> new TopicPartition(KafkaTopics.INVOICE, number))
                .toList();
    }

    private interface KafkaQuery<R> {
        R of(Admin client) throws InterruptedException, ExecutionException, TimeoutException;
    }

    private <R> R ask(KafkaQuery<R> question) {
        try (Admin client = Admin.create(admin.getConfigurationProperties())) {
            return question.of(client);
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            throw new IllegalStateException(e);
        }
    }
}
