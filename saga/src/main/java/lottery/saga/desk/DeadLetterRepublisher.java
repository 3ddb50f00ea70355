package lottery.saga.desk;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import lottery.api.Refusal;
import lottery.api.RefusedException;
import lottery.messaging.DeadLetter;
import lottery.messaging.UnreadableMessageException;
import lottery.saga.desk.DeadLetterTable.Original;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.record.TimestampType;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.kafka.core.ConsumerFactory;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.stereotype.Component;

/** Sends a dead letter again to its original topic, with its original content. */
@Component
final class DeadLetterRepublisher {

    private static final Logger LOG = LoggerFactory.getLogger(DeadLetterRepublisher.class);

    /**
     * How long to wait until a message has reached the broker. This is a little longer than the timeout of the broker's
     * client.
     */
    private static final long ARRIVAL_MAX_SECONDS = 9;

    /** The time limit for a message that has to be read again from its topic. */
    private static final Duration FETCH_MAX = Duration.ofSeconds(5);

    private final KafkaTemplate<String, byte[]> kafka;
    private final ConsumerFactory<String, byte[]> consumers;

    DeadLetterRepublisher(KafkaTemplate<String, byte[]> kafka, ConsumerFactory<String, byte[]> consumers) {
        this.kafka = kafka;
        this.consumers = consumers;
    }

    /**
     * Returns the message with its content. If the content is not stored, it is read from the topic, which takes
     * seconds.
     */
    ProducerRecord<String, byte[]> complete(Original original) {
        return original.isContentKept() ? original.message() : fetched(original);
    }

    /**
     * Returns the message as a consumer reads it.
     *
     * @throws UnreadableMessageException if its topic does not have it any more
     */
    ConsumerRecord<String, byte[]> read(Original original) {
        try {
            ProducerRecord<String, byte[]> message = complete(original);
            return new ConsumerRecord<>(
                    message.topic(),
                    original.found().partition(),
                    original.offset(),
                    original.diedAt().toEpochMilli(),
                    TimestampType.CREATE_TIME,
                    ConsumerRecord.NULL_SIZE,
                    ConsumerRecord.NULL_SIZE,
                    message.key(),
                    message.value(),
                    message.headers(),
                    Optional.empty());
        } catch (RefusedException gone) {
            if (gone.refused().why() == Refusal.NOT_FOUND) {
                throw new UnreadableMessageException("its topic does not have it any more", gone);
            }
            throw gone;
        }
    }

    /** Sends the message, and waits until it has arrived. */
    void send(ProducerRecord<String, byte[]> message) {
        try {
            kafka.send(message).get(ARRIVAL_MAX_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw busy(message);
        } catch (ExecutionException
                | TimeoutException
                | org.springframework.kafka.KafkaException
                | KafkaException
                | IllegalStateException e) {
            // Spring passes on exceptions of the producer itself, for example because it was closed.
            LOG.warn(
                    "A dead letter could not be sent again to {}: {}. The operator is answered BUSY and can try again.",
                    message.topic(),
                    e.toString());
            throw busy(message);
        }
    }

    private static RefusedException busy(ProducerRecord<String, byte[]> message) {
        return new RefusedException(Refusal.BUSY, message.topic());
    }

    private ProducerRecord<String, byte[]> fetched(Original original) {
        ProducerRecord<String, byte[]> message = original.message();
        ConsumerRecord<String, byte[]> found = fetch(original);
        DeadLetter dead = new DeadLetter(found);
        if (dead.isNote()) {
            throw new RefusedException(
                    Refusal.NOT_FOUND,
                    "a message of %d bytes, too large to be put aside, which stands at %s-%s@%s"
                            .formatted(dead.size(), dead.topic(), dead.partition(), dead.offset()));
        }
        return new ProducerRecord<>(message.topic(), null, found.key(), found.value(), dead.headers());
    }

    private ConsumerRecord<String, byte[]> fetch(Original original) {
        TopicPartition place = original.found();
        try (Consumer<String, byte[]> consumer = consumers.createConsumer()) {
            consumer.assign(List.of(place));
            if (!isKept(consumer, place, original.offset())) {
                throw gone(original);
            }
            consumer.seek(place, original.offset());
            long begunNanos = System.nanoTime();
            while (System.nanoTime() - begunNanos < FETCH_MAX.toNanos()) {
                Optional<ConsumerRecord<String, byte[]>> first =
                        consumer.poll(Duration.ofMillis(500)).records(place).stream()
                                .findFirst();
                if (first.isPresent()) {
                    return first.filter(found -> isThat(original, found)).orElseThrow(() -> gone(original));
                }
            }
        } catch (KafkaException e) {
            LOG.warn(
                    "A dead letter could not be read from {}: {}. The operator is answered BUSY and can try again.",
                    place,
                    e.toString());
        }
        throw busy(original.message());
    }

    /** Returns whether the topic still has the offset. Otherwise a poll would wait for a message that never comes. */
    private static boolean isKept(Consumer<String, byte[]> consumer, TopicPartition place, long offset) {
        List<TopicPartition> places = List.of(place);
        return offset >= consumer.beginningOffsets(places, FETCH_MAX).getOrDefault(place, Long.MAX_VALUE)
                && offset < consumer.endOffsets(places, FETCH_MAX).getOrDefault(place, 0L);
    }

    private static RefusedException gone(Original original) {
        return new RefusedException(Refusal.NOT_FOUND, original.found() + "@" + original.offset());
    }

    /**
     * Returns whether the found message is the original one. The original may have expired, and a topic that was
     * created again has other messages at the same offsets.
     */
    private static boolean isThat(Original original, ConsumerRecord<String, byte[]> found) {
        return found.offset() == original.offset()
                && new DeadLetter(found).diedAt().equals(original.diedAt());
    }
}
