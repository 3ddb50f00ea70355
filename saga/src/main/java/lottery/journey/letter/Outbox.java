package lottery.journey.letter;

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
 * The letters of a batch of events. The batch waits for all of them before it is committed. So a letter is with the
 * broker when the store says that its event was handled, and a batch with a letter that did not arrive is handled again
 * as a whole.
 */
@Component
public final class Outbox {

    private static final String LETTERS = Outbox.class.getName();

    /** A little more than what the client of the broker allows itself. */
    private static final Duration ARRIVAL_MAX = Duration.ofSeconds(9);

    private final Post post;
    private final Duration arrivalMax;

    @Autowired
    public Outbox(Post post) {
        this(post, ARRIVAL_MAX);
    }

    Outbox(Post post, Duration arrivalMax) {
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
    private record Letters(List<CompletableFuture<?>> sent, Map<Lane, Queue<Letter>> inTurn, List<Runnable> told) {

        /** The next one of each lane. */
        List<Letter> wave() {
            List<Letter> wave = inTurn.values().stream().map(Queue::remove).toList();
            inTurn.values().removeIf(Queue::isEmpty);
            return wave;
        }
    }

    /**
     * Leaves without waiting for those before it. One that is refused for good does not stop the batch.
     *
     * @param refused is told why the broker will never take the letter, with the unit of work
     */
    public void send(Letter letter, Consumer<String> refused) {
        CompletableFuture<Optional<String>> arrival = leave(letter.traced()).handle((arrived, failure) -> {
            Optional<String> refusal =
                    causes(failure).filter(Outbox::isForGood).findFirst().map(DeadLetters::causeOf);
            if (failure != null && refusal.isEmpty()) {
                throw new CompletionException(failure);
            }
            return refusal;
        });
        Letters letters = letters();
        letters.sent().add(arrival);
        // The work of its sender for it follows from the same request as the letter.
        letters.told().add(TraceId.carry(() -> arrival.getNow(Optional.empty()).ifPresent(refused)));
    }

    /** What the client throws instead of answering is an answer here, too. */
    private CompletableFuture<?> leave(Letter letter) {
        return CompletableFuture.completedFuture(letter).thenCompose(post::send);
    }

    private static Stream<Throwable> causes(@Nullable Throwable failure) {
        return Stream.iterate(failure, Objects::nonNull, Throwable::getCause);
    }

    /** Of the letter, and not of anything that may be better tomorrow. */
    private static boolean isForGood(Throwable cause) {
        return cause instanceof RecordTooLargeException || cause instanceof SerializationException;
    }

    /**
     * Leaves at the end of the batch, when the one before it of the same key has arrived, and stays here if one has
     * failed: nobody sees the later one first, whatever becomes of the earlier one.
     */
    public void sendInTurn(Letter letter) {
        letters()
                .inTurn()
                .computeIfAbsent(new Lane(letter.topic(), letter.key()), lane -> new ArrayDeque<>())
                .add(letter.traced());
    }

    private Letters letters() {
        UnitOfWork<?> batch = CurrentUnitOfWork.get().root();
        return batch.getOrComputeResource(LETTERS, key -> {
            Letters letters = new Letters(new ArrayList<>(), new LinkedHashMap<>(), new ArrayList<>());
            batch.onPrepareCommit(complete -> {
                arrive(letters);
                letters.told().forEach(Runnable::run);
            });
            batch.onRollback(failed -> letters.sent().forEach(letter -> letter.cancel(false)));
            return letters;
        });
    }

    /** The first of each lane leave together, then the second: a batch is as many requests as a lane has letters. */
    private void arrive(Letters letters) {
        long endNanos = System.nanoTime() + arrivalMax.toNanos();
        while (!letters.inTurn().isEmpty()) {
            List<CompletableFuture<?>> wave = new ArrayList<>();
            for (Letter letter : letters.wave()) {
                CompletableFuture<?> sent = leave(letter);
                wave.add(sent);
                letters.sent().add(sent);
                if (sent.isCompletedExceptionally()) {
                    // The batch fails. The client may have waited before it refused, and would do so for each other.
                    break;
                }
            }
            await(wave, endNanos);
        }
        await(letters.sent(), endNanos);
    }

    private void await(List<? extends CompletableFuture<?>> sent, long endNanos) {
        if (!sent.stream().allMatch(CompletableFuture::isDone)) {
            post.depart();
        }
        try {
            CompletableFuture.allOf(sent.toArray(CompletableFuture[]::new))
                    .get(endNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new LettersNotSent(sent.size() + " letters are not all with the broker", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LettersNotSent("interrupted while letters were under way", e);
        }
    }

    /** Fails the batch, so that it comes again. */
    private static final class LettersNotSent extends RuntimeException {

        LettersNotSent(String message, Throwable cause) {
            super(message, cause);
        }
    }
}
