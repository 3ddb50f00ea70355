package lottery.view;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import lottery.api.Query;
import lottery.api.Refusal;
import lottery.api.RefusedException;
import org.axonframework.messaging.responsetypes.ResponseType;
import org.axonframework.messaging.responsetypes.ResponseTypes;
import org.axonframework.queryhandling.QueryGateway;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.stereotype.Component;

/**
 * Asks a question on behalf of an endpoint and waits for the answer, but not for long.
 *
 * <p>A query bus within one process answers on the thread that asks, which would make any time limit void. So the
 * question is asked on a thread of its own, and who asked is free after the limit, however long the database takes.
 */
@Component
public final class Questions implements DisposableBean {

    private static final Duration ANSWER_MAX = Duration.ofSeconds(2);

    private final QueryGateway queries;
    private final ExecutorService threads = Executors.newThreadPerTaskExecutor(
            Thread.ofVirtual().name("question-", 0).factory());

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

    private <R> R answer(Query<R> question, ResponseType<R> type) {
        try {
            return CompletableFuture.completedFuture(question)
                    .thenComposeAsync(asked -> queries.query(asked, type), threads)
                    .get(ANSWER_MAX.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException late) {
            throw busy(question);
        } catch (InterruptedException ending) {
            Thread.currentThread().interrupt();
            throw busy(question);
        } catch (ExecutionException failed) {
            throw failed.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(failed);
        }
    }

    private static RefusedException busy(Query<?> question) {
        return new RefusedException(Refusal.BUSY, question.getClass().getSimpleName());
    }

    /** Whoever still waits for an answer gives up by itself. */
    @Override
    public void destroy() {
        threads.shutdownNow();
    }
}
