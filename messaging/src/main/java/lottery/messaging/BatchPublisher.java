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
 * Publishes the messages of a batch of events, and waits for all of them before the batch is committed. So a message is
 * with the broker when the store says that its event was handled. A batch with a message that did not arrive is handled
 * again as a whole: the log of events is the outbox.
 */
@Component
public final class BatchPublisher {

    private static final String MESSAGES = BatchPublisher.class.getName();

    /** A little more than what the client of the broker allows itself. */
    private static final Duration ARRIVAL_MAX = Duration.ofSeconds(9);

    private final MessagePublisher post;
    private final Duration arrivalMax;

    @Autowired
    public BatchPublisher(MessagePublisher post) {
        this(post, ARRIVAL_MAX);
    }

    BatchPublisher(MessagePublisher post, Duration arrivalMax) {
        this.post = post;
        this.arrivalMax = arrivalMax;
    }

    /** What has to arrive in order. */
    private record Lane(String topic, String key) {}

    /**
     * @param sent all of the batch that have left
     * @param inTurn those that have not, and go at the end
     * @param told what is done when all have arrived
     */
    private record Messages(
            List<CompletableFuture<?>> sent, Map<Lane, Queue<OutgoingMessage>> inTurn, List<Runnable> told) {

        /** The next one of each lane. */
        List<OutgoingMessage> wave() {
            List<OutgoingMessage> wave =
                    inTurn.values().stream().map(Queue::remove).toList();
            inTurn.values().removeIf(Queue::isEmpty);
            return wave;
        }
    }

    /**
     * Leaves without waiting for those before it. One that is refused for good does not stop the batch.
     *
     * @param refused is told why the broker will never take the message, with the unit of work
     */
    public void send(OutgoingMessage message, Consumer<String> refused) {
        CompletableFuture<Optional<String>> arrival = leave(message.traced()).handle((arrived, failure) -> {
            Optional<String> refusal = causes(failure)
                    .filter(BatchPublisher::isForGood)
                    .findFirst()
                    .map(DeadLetterConfiguration::causeOf);
            if (failure != null && refusal.isEmpty()) {
                throw new CompletionException(failure);
            }
            return refusal;
        });
        Messages messages = messages();
        messages.sent().add(arrival);
        // The work of its sender for it follows from the same request as the message.
        messages.told().add(TraceId.carry(() -> arrival.getNow(Optional.empty()).ifPresent(refused)));
    }

    /** What the client throws instead of answering is an answer here, too. */
    private CompletableFuture<?> leave(OutgoingMessage message) {
        return CompletableFuture.completedFuture(message).thenCompose(post::send);
    }

    private static Stream<Throwable> causes(@Nullable Throwable failure) {
        return Stream.iterate(failure, Objects::nonNull, Throwable::getCause);
    }

    /** Of the message, and not of anything that may be better tomorrow. */
    private static boolean isForGood(Throwable cause) {
        return cause instanceof RecordTooLargeException || cause instanceof SerializationException;
    }

    /**
     * Leaves at the end of the batch, when the one before it of the same key has arrived, and stays here if one has
     * failed: nobody sees the later one first, whatever becomes of the earlier one.
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

    /** The first of each lane leave together, then the second: a batch is as many requests as a lane has messages. */
    private void arrive(Messages messages) {
        long endNanos = System.nanoTime() + arrivalMax.toNanos();
        while (!messages.inTurn().isEmpty()) {
            List<CompletableFuture<?>> wave = new ArrayList<>();
            for (OutgoingMessage message : messages.wave()) {
                CompletableFuture<?> sent = leave(message);
                wave.add(sent);
                messages.sent().add(sent);
                if (sent.isCompletedExceptionally()) {
                    // The batch fails. The client may have waited before it refused, and would do so for each other.
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

    /** Fails the batch, so that it comes again. */
    private static final class MessagesNotSent extends RuntimeException {

        MessagesNotSent(String message, Throwable cause) {
            super(message, cause);
        }
    }
}
