package lottery.messaging;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.stream.Stream;
import lottery.store.trace.TraceId;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.SerializationException;
import org.axonframework.messaging.unitofwork.CurrentUnitOfWork;
import org.axonframework.messaging.unitofwork.UnitOfWork;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.stereotype.Component;

/**
 * Publishes the messages of a batch of events, and waits until all have arrived before the batch is committed.
 * Therefore the broker has the message before the store records that its event was handled. If a message did not
 * arrive, the whole batch is handled again. In this way the event log is the outbox.
 */
@Component
public final class BatchPublisher {

    private static final String MESSAGES = BatchPublisher.class.getName();

    /** How long to wait for the messages of a batch: a little longer than the time limit of Kafka's client. */
    private static final Duration ARRIVAL_MAX = Duration.ofSeconds(9);

    private final AsyncMessagePublisher publisher;
    private final Duration arrivalMax;

    @Autowired
    public BatchPublisher(AsyncMessagePublisher publisher) {
        this(publisher, ARRIVAL_MAX);
    }

    BatchPublisher(AsyncMessagePublisher publisher, Duration arrivalMax) {
        this.publisher = publisher;
        this.arrivalMax = arrivalMax;
    }

    /** Identifies the messages of one topic and key, which have to arrive in order. */
    private record OrderedKey(String topic, String key) {}

    /**
     * The messages of one batch.
     *
     * @param sent the messages that were sent
     * @param inTurn the messages that wait for the end of the batch. Messages of the same ordered key, which is a topic
     *     and a key, are then sent one after the other
     * @param told the callbacks to run when all messages have arrived
     */
    private record Messages(
            List<CompletableFuture<?>> sent, Map<OrderedKey, Queue<OutgoingMessage>> inTurn, List<Runnable> told) {

        /** Removes and returns the next message of each ordered key. */
        List<OutgoingMessage> wave() {
            List<OutgoingMessage> wave =
                    inTurn.values().stream().map(Queue::remove).toList();
            inTurn.values().removeIf(Queue::isEmpty);
            return wave;
        }
    }

    /**
     * Sends a message without waiting for earlier messages. A message that the broker can never accept does not make
     * the batch fail. If the broker is away, the batch fails at once.
     *
     * @param refused is called with the reason if the broker can never accept the message. The call comes before the
     *     unit of work commits
     */
    public void send(OutgoingMessage message, Consumer<String> refused) {
        CompletableFuture<Optional<String>> arrival = leave(message.traced()).handle((arrived, failure) -> {
            Optional<String> refusal = causes(failure)
                    .filter(BatchPublisher::isForGood)
                    .findFirst()
                    .map(KafkaDeadLetterConfiguration::causeOf);
            if (failure != null && refusal.isEmpty()) {
                throw new CompletionException(failure);
            }
            return refusal;
        });
        Messages messages = messages();
        messages.sent().add(arrival);
        if (arrival.isCompletedExceptionally()) {
            // As in arrive: the client may have waited, and would wait again for each further event of the batch.
            throw new MessagesNotSentException("a message is not with the broker", arrival.exceptionNow());
        }
        // The callback has the same trace as the message.
        messages.told()
                .add(TraceId.withCurrentTrace(
                        () -> arrival.getNow(Optional.empty()).ifPresent(refused)));
    }

    /** Sends a message. An exception of the client becomes a failed future. */
    private CompletableFuture<?> leave(OutgoingMessage message) {
        return CompletableFuture.completedFuture(message).thenCompose(publisher::send);
    }

    private static Stream<Throwable> causes(@Nullable Throwable failure) {
        return Stream.iterate(failure, Objects::nonNull, Throwable::getCause);
    }

    /** Returns whether the message itself is at fault, so that no later attempt can succeed. */
    private static boolean isForGood(Throwable cause) {
        return cause instanceof RecordTooLargeException || cause instanceof SerializationException;
    }

    /**
     * Sends a message at the end of the batch, after the previous message of the same key has arrived. If the previous
     * one fails, this message is not sent. Therefore no reader sees a later message before an earlier one.
     */
    public void sendInTurn(OutgoingMessage message) {
        messages()
                .inTurn()
                .computeIfAbsent(new OrderedKey(message.topic(), message.key()), orderedKey -> new ArrayDeque<>())
                .add(message.traced());
    }

    private Messages messages() {
        UnitOfWork<?> batch = CurrentUnitOfWork.get().root();
        return batch.getOrComputeResource(MESSAGES, key -> {
            Messages messages = new Messages(new ArrayList<>(), new LinkedHashMap<>(), new ArrayList<>());
            batch.onPrepareCommit(complete -> {
                arrive(messages);
                messages.told().forEach(Runnable::run);
            });
            batch.onRollback(failed -> messages.sent().forEach(message -> message.cancel(false)));
            return messages;
        });
    }

    /**
     * Sends the messages that have to arrive in order, and waits until all messages of the batch have arrived. It sends
     * the first message of each ordered key and waits for them, then the second ones, and so on. A batch takes as many
     * rounds as the ordered key with the most messages.
     */
    private void arrive(Messages messages) {
        long endNanos = System.nanoTime() + arrivalMax.toNanos();
        while (!messages.inTurn().isEmpty()) {
            List<CompletableFuture<?>> wave = new ArrayList<>();
            for (OutgoingMessage message : messages.wave()) {
                CompletableFuture<?> sent = leave(message);
                wave.add(sent);
                messages.sent().add(sent);
                if (sent.isCompletedExceptionally()) {
                    // The batch fails anyway. The client may have waited before it refused the message, and would wait
                    // again for each further message.
                    break;
                }
            }
            await(wave, endNanos);
        }
        await(messages.sent(), endNanos);
    }

    private void await(List<? extends CompletableFuture<?>> sent, long endNanos) {
        if (!sent.stream().allMatch(CompletableFuture::isDone)) {
            publisher.flush();
        }
        try {
            CompletableFuture.allOf(sent.toArray(CompletableFuture[]::new))
                    .get(endNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new MessagesNotSentException(sent.size() + " messages are not all with the broker", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new MessagesNotSentException("interrupted while messages were under way", e);
        }
    }

    /** Fails the batch, so that it is handled again. */
    private static final class MessagesNotSentException extends RuntimeException {

        MessagesNotSentException(String message, Throwable cause) {
            super(message, cause);
        }
    }
}
