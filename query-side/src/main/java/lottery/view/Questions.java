package lottery.view;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;
import lottery.api.Query;
import lottery.api.Refusal;
import lottery.api.RefusedException;
import org.axonframework.messaging.responsetypes.ResponseType;
import org.axonframework.messaging.responsetypes.ResponseTypes;
import org.axonframework.queryhandling.QueryGateway;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.stereotype.Component;

/**
 * Asks a question on behalf of an endpoint and waits for the answer, but not for long. Many who ask the same at the
 * same time are one question: they get the answer that is under way. Who has to see what was written up to a position
 * asks alone, since what is under way may have been read before that.
 *
 * <p>A query bus within one process answers on the thread that asks, which would make any time limit void. So the
 * question is asked on a thread of its own, and who asked is free after the limit, however long the database takes.
 */
@Component
public final class Questions implements MeterBinder, DisposableBean {

    private static final Duration ANSWER_MAX = Duration.ofSeconds(2);

    private final QueryGateway queries;
    private final ExecutorService threads = Executors.newThreadPerTaskExecutor(
            Thread.ofVirtual().name("question-", 0).factory());
    private final Map<Query<?>, CompletableFuture<?>> underWay = new ConcurrentHashMap<>();
    private final LongAdder joined = new LongAdder();

    Questions(QueryGateway queries) {
        this.queries = queries;
    }

    /** Asks what always has an answer. */
    public <R> R ask(Query<R> question, Class<R> answer) {
        return answer(question, ResponseTypes.instanceOf(answer));
    }

    /** Asks what may have none. */
    public <R> Optional<R> find(Query<Optional<R>> question, Class<R> answer) {
        return answer(question, ResponseTypes.optionalInstanceOf(answer));
    }

    private <R> R answer(Query<?> question, ResponseType<R> type) {
        long asOf = AsOf.request();
        CompletableFuture<R> answer = asOf > 0 ? asked(question, type, asOf) : joined(question, type);
        try {
            return answer.get(ANSWER_MAX.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException late) {
            // Who comes now asks anew, and does not wait for what may never come.
            underWay.remove(question, answer);
            throw busy(question);
        } catch (InterruptedException ending) {
            Thread.currentThread().interrupt();
            throw busy(question);
        } catch (ExecutionException failed) {
            throw failed.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(failed);
        }
    }

    @SuppressWarnings("unchecked") // A question has one kind of answer.
    private <R> CompletableFuture<R> joined(Query<?> question, ResponseType<R> type) {
        CompletableFuture<R> mine = new CompletableFuture<>();
        CompletableFuture<?> other = underWay.putIfAbsent(question, mine);
        if (other != null) {
            joined.increment();
            return (CompletableFuture<R>) other;
        }
        var _ = asked(question, type, 0).whenComplete((answer, failure) -> {
            underWay.remove(question, mine);
            var _ = failure == null ? mine.complete(answer) : mine.completeExceptionally(cause(failure));
        });
        return mine;
    }

    private <R> CompletableFuture<R> asked(Query<?> question, ResponseType<R> type, long asOf) {
        return CompletableFuture.completedFuture(question)
                .thenComposeAsync(asked -> AsOf.at(asOf, () -> queries.query(asked, type)), threads);
    }

    /** What has failed, and not that something after it did. */
    private static Throwable cause(Throwable failure) {
        Throwable cause = failure.getCause();
        return failure instanceof CompletionException && cause != null ? cause : failure;
    }

    private static RefusedException busy(Query<?> question) {
        return new RefusedException(Refusal.BUSY, question.getClass().getSimpleName());
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        FunctionCounter.builder("lottery.questions.joined", joined, LongAdder::sum)
                .description("Questions that were answered with what somebody else was asking at the same time")
                .register(registry);
    }

    /** How many have got the answer to somebody else's question. */
    long joined() {
        return joined.sum();
    }

    /** Whoever still waits for an answer gives up by itself. */
    @Override
    public void destroy() {
        threads.shutdownNow();
    }
}
