package lottery.view;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import lottery.api.Refusal;
import lottery.api.RefusedException;
import org.jspecify.annotations.Nullable;

/**
 * Many who ask the same at the same time are one question: they get the answer that is under way. Who has to see what
 * was written up to a position gets the next one, since what is under way may have been read before that; and so do all
 * others who come meanwhile and have to. So a question is under way once, however many ask it, and however they do; but
 * for one that was given up.
 *
 * <p>It is asked on a thread of its own, and who asked is free after a while, however long the database takes.
 *
 * @param <Q> the question
 * @param <A> the answer
 */
public final class SingleFlight<Q, A> implements AutoCloseable {

    private final Duration answerMax;
    private final ExecutorService threads;
    private final Map<Q, Round<A>> underWay = new ConcurrentHashMap<>();
    private final LongAdder joined = new LongAdder();

    /** Once from the question to its answer. What is not final is for whoever has the map's entry to themselves. */
    private static final class Round<A> {

        private final Supplier<CompletableFuture<A>> question;
        private final CompletableFuture<A> answer = new CompletableFuture<>();
        private final AtomicBoolean begun = new AtomicBoolean();
        private long asOf;
        private @Nullable Round<A> next;

        Round(Supplier<CompletableFuture<A>> question) {
            this.question = question;
        }

        Round<A> seeing(long position) {
            asOf = Math.max(asOf, position);
            return this;
        }
    }

    /**
     * A kind of questions.
     *
     * @param name of the threads that ask
     * @param answerMax what takes longer is given up
     */
    public SingleFlight(String name, Duration answerMax) {
        this.answerMax = answerMax;
        threads = Executors.newThreadPerTaskExecutor(
                Thread.ofVirtual().name(name + "-", 0).factory());
    }

    /**
     * Waits for the answer, but not for long: for its own question, and for the one before if that is under way.
     *
     * @param asOf the position up to which everything is to be seen, as everybody does who asks now; 0: any
     */
    public A ask(Q question, long asOf, Supplier<CompletableFuture<A>> answer) {
        Round<A> round = round(question, asOf, answer);
        try {
            return round.answer.get(2 * answerMax.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException late) {
            throw busy(question);
        } catch (InterruptedException ending) {
            Thread.currentThread().interrupt();
            throw busy(question);
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof TimeoutException) {
                throw busy(question);
            }
            throw failed.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(failed);
        }
    }

    private Round<A> round(Q question, long asOf, Supplier<CompletableFuture<A>> answer) {
        Round<A> fresh = new Round<>(answer);
        CompletableFuture<Round<A>> found = new CompletableFuture<>();
        Round<A> now = underWay.compute(question, (_, known) -> {
            Round<A> first = known == null ? fresh : known;
            Round<A> mine = first;
            if (known != null && asOf > 0) {
                mine = known.next == null ? fresh : known.next;
                known.next = mine;
            }
            found.complete(mine.seeing(asOf));
            return first;
        });
        Round<A> mine = found.resultNow();
        if (now == fresh) {
            begin(question, now);
        } else if (mine != fresh) {
            joined.increment();
        }
        return mine;
    }

    private void begin(Q question, Round<A> round) {
        if (round.begun.compareAndSet(false, true)) {
            var _ = CompletableFuture.completedFuture(round)
                    .thenComposeAsync(asked -> RequiredPosition.at(asked.asOf, asked.question), threads)
                    // Who comes after this asks anew, and does not wait for what may never come.
                    .orTimeout(answerMax.toMillis(), TimeUnit.MILLISECONDS)
                    .whenComplete((answer, failure) -> {
                        over(question, round);
                        var _ = failure == null
                                ? round.answer.complete(answer)
                                : round.answer.completeExceptionally(cause(failure));
                    });
        }
    }

    /** Whether it has an answer or is given up: then it is the turn of those who wait for the next one. */
    private void over(Q question, Round<A> round) {
        Round<A> next = underWay.computeIfPresent(question, (_, now) -> now == round ? now.next : now);
        if (next != null) {
            begin(question, next);
        }
    }

    /** What has failed, and not that something after it did. */
    private static Throwable cause(Throwable failure) {
        Throwable cause = failure.getCause();
        return failure instanceof CompletionException && cause != null ? cause : failure;
    }

    private RefusedException busy(Q question) {
        return new RefusedException(Refusal.BUSY, question.getClass().getSimpleName());
    }

    /** How many have got the answer to somebody else's question. */
    long joined() {
        return joined.sum();
    }

    /** Whoever still waits for an answer gives up by itself. */
    @Override
    public void close() {
        threads.shutdownNow();
    }
}
