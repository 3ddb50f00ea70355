package lottery.view;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import lottery.api.Query;
import lottery.api.UserId;
import lottery.api.activity.FindActivities;
import lottery.api.activity.ListedActivities;
import lottery.api.activity.ListedActivity;
import lottery.api.award.FindWheel;
import lottery.api.award.UserWheel;
import lottery.store.processing.ProcessorPositionAwaiter;
import org.axonframework.eventhandling.TrackingToken;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.axonframework.messaging.responsetypes.ResponseType;
import org.axonframework.messaging.responsetypes.ResponseTypes;
import org.axonframework.queryhandling.QueryGateway;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
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

    /** A user for whom nothing is stored. It does no harm if somebody has this id. */
    private static final UserId NOBODY = new UserId("warm-up");

    /** How long to wait for the read models. The activity of a demo has just been created. */
    private static final Duration WAIT_MAX = Duration.ofSeconds(5);

    private final QueryGateway queries;
    private final EventStore events;
    private final ProcessorPositionAwaiter positionAwaiter;
    private final ReadModelRegistry readModels;

    QueryWarmUp(
            QueryGateway queries,
            EventStore events,
            ProcessorPositionAwaiter positionAwaiter,
            ReadModelRegistry readModels) {
        this.queries = queries;
        this.events = events;
        this.positionAwaiter = positionAwaiter;
        this.readModels = readModels;
    }

    @Override
    public void run(ApplicationArguments arguments) throws InterruptedException {
        try {
            awaitReadModels();
            List<ListedActivity> newest = ask(
                            new FindActivities(null, null, 1), ResponseTypes.instanceOf(ListedActivities.class))
                    .items();
            for (ListedActivity activity : newest) {
                Optional<UserWheel> _ = ask(
                        new FindWheel(activity.activityId(), NOBODY),
                        ResponseTypes.optionalInstanceOf(UserWheel.class));
            }
        } catch (ExecutionException | RuntimeException e) {
            LOG.warn("The queries are not warmed up: {}", e.toString());
        }
    }

    /** Waits until the read models include all events, but only for a moment: they may be far behind. */
    private void awaitReadModels() throws InterruptedException {
        @Nullable TrackingToken head = events.createHeadToken();
        if (head != null) {
            ProcessorPositionAwaiter.Arrival _ =
                    positionAwaiter.await(readModels.names(), head.position().orElse(0), WAIT_MAX);
        }
    }

    private <R> R ask(Query<R> query, ResponseType<R> type) throws InterruptedException, ExecutionException {
        CompletableFuture<R> answer = queries.query(query, type);
        return answer.get();
    }
}
