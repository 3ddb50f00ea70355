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
 * Publishes the messages of a batch of events, and waits for all of them before the batch is committed. So the broker
 * has a message when the store records that its event was handled. A batch with a message that did not arrive is
 * handled again as a whole: the log of events is the outbox.
 */
@Component
public final class BatchPublisher {

    private static final String MESSAGES = BatchPublisher.class.getName();

    /** A little longer than the timeout of the broker's client. */
    private static final Duration ARRIVAL_MAX = Duration.ofSeconds(9);

    private final AsyncMessagePublisher post;
    private final Duration arrivalMax;

    @Autowired
    public BatchPublisher(AsyncMessagePublisher post) {
        this(post, ARRIVAL_MAX);
    }

    BatchPublisher(AsyncMessagePublisher post, Duration arrivalMax) {
        this.post = post;
        this.arrivalMax = arrivalMax;
    }

    /** Messages of one topic and key, which have to arrive in order. */
    private record Lane(String topic, String key) {}

    /**
     * @param sent the messages that were sent
     * @param inTurn the messages that are sent at the end of the batch, in turn
     * @param told the callbacks for when all messages have arrived
     */
    private record Messages(
            List<CompletableFuture<?>> sent, Map<Lane, Queue<OutgoingMessage>> inTurn, List<Runnable> told) {

        /** Removes the next message of each lane. */
        List<OutgoingMessage> wave() {
            List<OutgoingMessage> wave =
                    inTurn.values().stream().map(Queue::remove).toList();
            inTurn.values().removeIf(Queue::isEmpty);
            return wave;
        }
    }

    /**
     * Sends a message without waiting for earlier ones. A message that the broker will never take does not fail the
     * batch.
     *
     * @param refused receives the reason if the broker will never take the message, with the unit of work
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
        // The callback belongs to the same request as the message.
        messages.told().add(TraceId.carry(() -> arrival.getNow(Optional.empty()).ifPresent(refused)));
    }

    /** Turns an exception of the client into a failed future. */
    private CompletableFuture<?> leave(OutgoingMessage message) {
        return CompletableFuture.completedFuture(message).thenCompose(post::send);
    }

    private static Stream<Throwable> causes(@Nullable Throwable failure) {
        return Stream.iterate(failure, Objects::nonNull, Throwable::getCause);
    }

    /** Returns whether the message itself is at fault, so that no later attempt can succeed. */
    private static boolean isForGood(Throwable cause) {
        return cause instanceof RecordTooLargeException || cause instanceof SerializationException;
    }

    /**
     * Sends a message at the end of the batch, after the previous one of the same key has arrived. If that one fails it
     * is not sent: nobody sees a later message first, whatever becomes of the earlier one.
     */
    public void sendInTurn(OutgoingMessage message) {
        messages()
                .inTurn()
                .computeIfAbsent(new Lane(message.topic(), message.key()), lane -> new ArrayDeque<>())
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

    /** Sends the first message of each lane, then the second: a batch takes as many rounds as its longest lane. */
    private void arrive(Messages messages) {
        long endNanos = System.nanoTime() + arrivalMax.toNanos();
        while (!messages.inTurn().isEmpty()) {
            List<CompletableFuture<?>> wave = new ArrayList<>();
            for (OutgoingMessage message : messages.wave()) {
                CompletableFuture<?> sent = leave(message);
                wave.add(sent);
                messages.sent().add(sent);
                if (sent.isCompletedExceptionally()) {
                    // The batch fails. The client may have waited before it refused, and would wait for each further
                    // message.
                    break;
                }
            }
            await(wave, endNanos);
        }
        await(messages.sent(), endNanos);
    }

    private void await(List<? extends CompletableFuture<?>> sent, long endNanos) {
        if (!sent.stream().allMatch(CompletableFuture::isDone)) {
            post.depart();
        }
        try {
            CompletableFuture.allOf(sent.toArray(CompletableFuture[]::new))
                    .get(endNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new MessagesNotSent(sent.size() + " messages are not all with the broker", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new MessagesNotSent("interrupted while messages were under way", e);
        }
    }

    /** Fails the batch, so that it is handled again. */
    private static final class MessagesNotSent extends RuntimeException {

        MessagesNotSent(String message, Throwable cause) {
            super(message, cause);
        }
    }
}
