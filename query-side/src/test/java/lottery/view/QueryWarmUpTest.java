package lottery.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import lottery.api.activity.ActivityId;
import lottery.api.activity.FindActivities;
import lottery.api.activity.ListedActivities;
import lottery.api.activity.ListedActivity;
import lottery.api.award.FindWheel;
import lottery.api.award.UserWheel;
import lottery.stage.OnStage;
import lottery.stage.Script;
import lottery.store.processing.ProcessorPositionAwaiter;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.axonframework.messaging.responsetypes.ResponseTypes;
import org.axonframework.queryhandling.DefaultQueryGateway;
import org.axonframework.queryhandling.QueryBus;
import org.axonframework.queryhandling.QueryGateway;
import org.axonframework.queryhandling.SimpleQueryBus;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.DefaultApplicationArguments;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

@OnStage
@ExtendWith(OutputCaptureExtension.class)
@DisplayName("Before it is ready, a process")
class QueryWarmUpTest {

    private static final Duration LONG = Duration.ofMinutes(1);

    private final List<ApplicationRunner> runners;
    private final QueryGateway real;
    private final EventStore events;
    private final ProcessorPositionAwaiter positionAwaiter;
    private final Script script;

    private final List<ListedActivity> known = new CopyOnWriteArrayList<>();
    private final List<ActivityId> asked = new CopyOnWriteArrayList<>();
    private final QueryBus queries = SimpleQueryBus.builder().build();

    @Autowired
    QueryWarmUpTest(
            List<ApplicationRunner> runners,
            QueryGateway real,
            EventStore events,
            ProcessorPositionAwaiter positionAwaiter,
            Script script) {
        this.runners = runners;
        this.real = real;
        this.events = events;
        this.positionAwaiter = positionAwaiter;
        this.script = script;
        var _ = queries.subscribe(
                FindActivities.class.getName(),
                ListedActivities.class,
                query -> new ListedActivities(List.copyOf(known), null));
        var _ = queries.subscribe(FindWheel.class.getName(), UserWheel.class, query -> {
            asked.add(((FindWheel) query.getPayload()).activityId());
            return Optional.empty();
        });
    }

    private CompletableFuture<Void> begin(Duration waitMax) {
        QueryGateway gateway = DefaultQueryGateway.builder().queryBus(queries).build();
        QueryWarmUp warmUp = new QueryWarmUp(gateway, events, positionAwaiter, waitMax);
        return CompletableFuture.runAsync(() -> run(warmUp));
    }

    private static void run(ApplicationRunner runner) {
        try {
            runner.run(new DefaultApplicationArguments());
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private ListedActivity newest() {
        return real.query(new FindActivities(null, null, 1), ResponseTypes.instanceOf(ListedActivities.class))
                .join()
                .items()
                .getFirst();
    }

    @Test
    @DisplayName("asks for the wheel of the newest activity")
    void asks(CapturedOutput output) {
        var _ = script.activity();
        runners.forEach(QueryWarmUpTest::run);
        assertThat(output).as("the process itself").doesNotContain("not warmed up");

        known.add(newest());
        begin(LONG).orTimeout(10, TimeUnit.SECONDS).join();
        assertThat(asked).containsExactly(newest().activityId());
    }

    @Test
    @DisplayName("waits for its read models if it knows no activity yet")
    void waits() {
        script.stop("activities");
        try {
            var _ = script.activity();
            CompletableFuture<Void> start = begin(LONG);
            await().during(Duration.ofMillis(300)).until(() -> !start.isDone());
            script.start("activities");
            start.orTimeout(30, TimeUnit.SECONDS).join();
        } finally {
            script.start("activities");
        }
        assertThat(asked).isEmpty();
    }

    @Test
    @DisplayName("becomes ready even if its read models stay behind")
    void givesUp(CapturedOutput output) {
        script.stop("activities");
        try {
            var _ = script.activity();
            begin(Duration.ofMillis(50)).orTimeout(20, TimeUnit.SECONDS).join();
        } finally {
            script.start("activities");
        }
        assertThat(output).contains("knows no activity yet");
    }

    @Test
    @DisplayName("becomes ready even if its queries fail")
    void fails(CapturedOutput output) {
        QueryGateway broken = DefaultQueryGateway.builder()
                .queryBus(SimpleQueryBus.builder().build())
                .build();
        run(new QueryWarmUp(broken, events, positionAwaiter));
        assertThat(output).contains("The queries are not warmed up");
    }
}
