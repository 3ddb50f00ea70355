package lottery.view;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import lottery.api.Query;
import lottery.api.UserId;
import lottery.api.activity.FindActivities;
import lottery.api.activity.ListedActivities;
import lottery.api.activity.ListedActivity;
import lottery.api.award.FindWheel;
import lottery.api.award.UserWheel;
import lottery.store.processing.ProcessorPositionAwaiter;
import lottery.store.processing.ProcessorPositionAwaiter.Arrival;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.axonframework.messaging.responsetypes.ResponseType;
import org.axonframework.messaging.responsetypes.ResponseTypes;
import org.axonframework.queryhandling.QueryGateway;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.ApplicationRunner;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;

/**
 * Asks for a wheel before the process is ready. The first queries of a process load many classes. On a busy machine
 * this takes longer than the time limit of {@link QuerySender}, so the first users would be refused.
 */
@Component
@Order(Ordered.LOWEST_PRECEDENCE)
final class QueryWarmUp implements ApplicationRunner {

    private static final Logger LOG = LoggerFactory.getLogger(QueryWarmUp.class);

    /** A user who has drawn nothing. It does no harm if somebody has this id. */
    private static final UserId NOBODY = new UserId("warm-up");

    /** The read models without which there is no wheel. */
    private static final Set<String> READ_MODELS = Set.of("activities", "wheel");

    private static final Duration WAIT_MAX = Duration.ofSeconds(10);

    /** A query bus within one process answers before it returns. This limit is for other buses. */
    private static final Duration ANSWER_MAX = Duration.ofSeconds(10);

    private final QueryGateway queries;
    private final EventStore events;
    private final ProcessorPositionAwaiter positionAwaiter;
    private final Duration waitMax;

    @Autowired
    QueryWarmUp(QueryGateway queries, EventStore events, ProcessorPositionAwaiter positionAwaiter) {
        this(queries, events, positionAwaiter, WAIT_MAX);
    }

    /** @param waitMax how long to wait for the first activity, which a demo has just created */
    QueryWarmUp(QueryGateway queries, EventStore events, ProcessorPositionAwaiter positionAwaiter, Duration waitMax) {
        this.queries = queries;
        this.events = events;
        this.positionAwaiter = positionAwaiter;
        this.waitMax = waitMax;
    }

    @Override
    public void run(ApplicationArguments arguments) throws InterruptedException {
        try {
            List<ListedActivity> newest = newest();
            if (newest.isEmpty() && awaitReadModels() == Arrival.REACHED) {
                newest = newest();
            }
            for (ListedActivity activity : newest) {
                Optional<UserWheel> _ = ask(
                        new FindWheel(activity.activityId(), NOBODY),
                        ResponseTypes.optionalInstanceOf(UserWheel.class));
            }
            if (newest.isEmpty()) {
                LOG.info("This process knows no activity yet. The first query for a wheel may take longer.");
            }
        } catch (ExecutionException | TimeoutException | RuntimeException e) {
            LOG.warn("The queries are not warmed up: {}. The first queries may take longer.", e.toString());
        }
    }

    /** Returns the newest activity; empty if there is none. */
    private List<ListedActivity> newest() throws InterruptedException, ExecutionException, TimeoutException {
        return ask(new FindActivities(null, null, 1), ResponseTypes.instanceOf(ListedActivities.class))
                .items();
    }

    private Arrival awaitReadModels() throws InterruptedException {
        long head = events.createHeadToken().position().orElse(0);
        return positionAwaiter.await(READ_MODELS, head, waitMax);
    }

    private <R> R ask(Query<R> query, ResponseType<R> type)
            throws InterruptedException, ExecutionException, TimeoutException {
        return queries.query(query, type).get(ANSWER_MAX.toMillis(), TimeUnit.MILLISECONDS);
    }
}
