package lottery.view;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
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
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Supplier;
import lottery.api.Refusal;
import lottery.api.RefusedException;
import lottery.store.log.Log;
import org.jspecify.annotations.Nullable;

/**
 * Joins equal queries: callers that ask the same question at the same time share one query and its answer. A caller
 * with a position must see all events up to it. If a query is running, it may have read before that position, so this
 * caller waits for the next query. All callers with a position who come during the running query share that next query.
 * So at most one query per question is running, except for queries that were given up.
 *
 * <p>A query runs on a thread of its own. Its callers stop waiting after a time limit, however slow the database is.
 */
public final class SingleFlight implements MeterBinder, AutoCloseable {

    private final Duration answerMax;
    private final BiConsumer<CompletableFuture<?>, Duration> timer;
    private final ExecutorService threads;
    private final Map<Query<?>, SharedFlight> underWay = new ConcurrentHashMap<>();
    private final LongAdder joined = new LongAdder();

    /** One query and its answer. Fields that are not final belong to the thread that holds the entry in the map. */
    private static final class SharedFlight {

        private final Supplier<Object> question;
        private final CompletableFuture<Object> answer = new CompletableFuture<>();
        private final AtomicBoolean begun = new AtomicBoolean();
        private long asOf;
        private @Nullable SharedFlight next;

        SharedFlight(Supplier<Object> question) {
            this.question = question;
        }

        SharedFlight seeing(long position) {
            asOf = Math.max(asOf, position);
            return this;
        }
    }

    /**
     * Creates an instance with threads of its own.
     *
     * @param name the prefix of the threads' names
     * @param answerMax the time limit of a query
     */
    public SingleFlight(String name, Duration answerMax) {
        this(name, answerMax, SingleFlight::failAfter);
    }

    /** @param timer fails a query after a time limit */
    SingleFlight(String name, Duration answerMax, BiConsumer<CompletableFuture<?>, Duration> timer) {
        this.answerMax = answerMax;
        this.timer = timer;
        threads = Executors.newThreadPerTaskExecutor(
                Thread.ofVirtual().name(name + "-", 0).factory());
    }

    private static void failAfter(CompletableFuture<?> query, Duration max) {
        var _ = query.orTimeout(max.toMillis(), TimeUnit.MILLISECONDS);
    }

    /**
     * Waits for the answer, for a limited time. The limit covers the query itself and, if one is running, the query
     * before it. If the caller has waited for a position, the answer includes all events up to it.
     *
     * @param answer makes the answer from the question, and from nothing else that the caller knows
     */
    @SuppressWarnings("unchecked") // A question has one kind of answer.
    public <Q extends Query<A>, A> A ask(Q question, Function<Q, A> answer) {
        SharedFlight flight =
                round(question, RequiredPositionHolder.position(), Log.carry(() -> answer.apply(question)));
        try {
            return (A) flight.answer.get(2 * answerMax.toMillis(), TimeUnit.MILLISECONDS);
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

    private SharedFlight round(Query<?> question, long asOf, Supplier<Object> answer) {
        SharedFlight fresh = new SharedFlight(answer);
        CompletableFuture<SharedFlight> found = new CompletableFuture<>();
        SharedFlight now = underWay.compute(question, (_, known) -> {
            SharedFlight first = known == null ? fresh : known;
            SharedFlight mine = first;
            if (known != null && asOf > 0) {
                mine = known.next == null ? fresh : known.next;
                known.next = mine;
            }
            found.complete(mine.seeing(asOf));
            return first;
        });
        SharedFlight mine = found.resultNow();
        if (now == fresh) {
            begin(question, now);
        } else if (mine != fresh) {
            joined.increment();
        }
        return mine;
    }

    private void begin(Query<?> question, SharedFlight flight) {
        if (flight.begun.compareAndSet(false, true)) {
            CompletableFuture<Object> query = CompletableFuture.completedFuture(flight)
                    .thenApplyAsync(asked -> RequiredPositionHolder.at(asked.asOf, asked.question), threads);
            // The time limit lets a later caller start a new query, instead of waiting for an answer that may never
            // come.
            timer.accept(query, answerMax);
            var _ = query.whenComplete((answer, failure) -> {
                over(question, flight);
                var _ = failure == null
                        ? flight.answer.complete(answer)
                        : flight.answer.completeExceptionally(cause(failure));
            });
        }
    }

    /** Removes a query that was answered or given up, and starts the next one if callers wait for it. */
    private void over(Query<?> question, SharedFlight flight) {
        SharedFlight next = underWay.computeIfPresent(question, (_, now) -> now == flight ? now.next : now);
        if (next != null) {
            begin(question, next);
        }
    }

    /** Returns the original failure without its wrapper. */
    private static Throwable cause(Throwable failure) {
        Throwable cause = failure.getCause();
        return failure instanceof CompletionException && cause != null ? cause : failure;
    }

    private static RefusedException busy(Query<?> question) {
        return new RefusedException(Refusal.BUSY, question.getClass().getSimpleName());
    }

    /** Returns how many callers have got the answer to the query of another caller. */
    long joined() {
        return joined.sum();
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        FunctionCounter.builder("lottery.questions.joined", this, SingleFlight::joined)
                .description("Questions that were answered with what somebody else was asking at the same time")
                .register(registry);
    }

    /** Interrupts the queries. A caller that still waits runs into its time limit. */
    @Override
    public void close() {
        threads.shutdownNow();
    }
}
