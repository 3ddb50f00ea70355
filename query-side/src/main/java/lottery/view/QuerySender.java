package lottery.view;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.Duration;
import java.util.Optional;
import lottery.api.Query;
import org.axonframework.messaging.responsetypes.ResponseType;
import org.axonframework.messaging.responsetypes.ResponseTypes;
import org.axonframework.queryhandling.QueryGateway;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.stereotype.Component;

/**
 * Sends the query of an endpoint and waits for the answer, but only for a limited time. A query bus within one process
 * answers on the calling thread, where a time limit has no effect. So the query runs on a thread of
 * {@link SingleFlight}.
 */
@Component
public final class QuerySender implements MeterBinder, DisposableBean {

    private static final Duration ANSWER_MAX = Duration.ofSeconds(2);

    private final QueryGateway queries;
    private final SingleFlight<Query<?>, Object> together;

    @Autowired
    QuerySender(QueryGateway queries) {
        this(queries, ANSWER_MAX);
    }

    QuerySender(QueryGateway queries, Duration answerMax) {
        this.queries = queries;
        this.together = new SingleFlight<>("question", answerMax);
    }

    /** Sends a query that always has an answer. */
    public <R> R ask(Query<R> question, Class<R> answer) {
        return answer(question, ResponseTypes.instanceOf(answer));
    }

    /** Sends a query that may have no answer. */
    public <R> Optional<R> find(Query<Optional<R>> question, Class<R> answer) {
        return answer(question, ResponseTypes.optionalInstanceOf(answer));
    }

    @SuppressWarnings("unchecked") // A query has one kind of answer.
    private <R> R answer(Query<?> question, ResponseType<R> type) {
        return (R) together.ask(
                question,
                RequiredPositionHolder.request(),
                () -> queries.query(question, type).thenApply(answer -> answer));
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        FunctionCounter.builder("lottery.questions.joined", together, SingleFlight::joined)
                .description("Questions that were answered with what somebody else was asking at the same time")
                .register(registry);
    }

    /** Returns how many callers have shared the query of another caller. */
    long joined() {
        return together.joined();
    }

    @Override
    public void destroy() {
        together.close();
    }
}
