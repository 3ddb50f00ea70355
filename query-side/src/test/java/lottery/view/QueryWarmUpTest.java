package lottery.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import lottery.api.UserId;
import lottery.api.account.AccountId;
import lottery.api.activity.ActivityId;
import lottery.api.award.FindWheel;
import lottery.stage.OnStage;
import lottery.stage.Script;
import lottery.store.processing.ProcessorPositionAwaiter;
import org.axonframework.common.Registration;
import org.axonframework.eventsourcing.eventstore.EventStore;
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

    private static final UserId NOBODY = new UserId("warm-up");

    private final List<ApplicationRunner> runners;
    private final QueryBus queries;
    private final EventStore events;
    private final ProcessorPositionAwaiter positionAwaiter;
    private final ReadModelRegistry readModels;
    private final Script script;

    @Autowired
    QueryWarmUpTest(
            List<ApplicationRunner> runners,
            QueryBus queries,
            EventStore events,
            ProcessorPositionAwaiter positionAwaiter,
            ReadModelRegistry readModels,
            Script script) {
        this.runners = runners;
        this.queries = queries;
        this.events = events;
        this.positionAwaiter = positionAwaiter;
        this.readModels = readModels;
        this.script = script;
    }

    @Test
    @DisplayName("asks for a wheel as soon as its read models have all events, so that no user waits for classes")
    void asks() throws Exception {
        List<ActivityId> asked = new CopyOnWriteArrayList<>();
        ActivityId activity = script.activity();
        script.stop("accounts");
        script.recharged(new AccountId(activity, new UserId("ann")), 10, 10, 10);
        try (Registration _ = recordWheels(asked)) {
            Thread start = Thread.ofVirtual().start(this::run);
            await().during(Duration.ofMillis(300)).until(asked::isEmpty);
            script.start("accounts");
            assertThat(start.join(Duration.ofSeconds(30))).isTrue();
        } finally {
            script.start("accounts");
        }
        assertThat(asked).hasSize(1);
    }

    private Registration recordWheels(List<ActivityId> asked) {
        return queries.registerHandlerInterceptor((query, chain) -> {
            if (query.getMessage().getPayload() instanceof FindWheel wheel
                    && wheel.userId().equals(NOBODY)) {
                asked.add(wheel.activityId());
            }
            return chain.proceed();
        });
    }

    private void run() {
        try {
            for (ApplicationRunner runner : runners) {
                runner.run(new DefaultApplicationArguments());
            }
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    @DisplayName("becomes ready even if its queries fail")
    void fails(CapturedOutput output) {
        QueryGateway broken = DefaultQueryGateway.builder()
                .queryBus(SimpleQueryBus.builder().build())
                .build();
        assertThatCode(() -> new QueryWarmUp(broken, events, positionAwaiter, readModels)
                        .run(new DefaultApplicationArguments()))
                .doesNotThrowAnyException();
        assertThat(output).contains("The queries are not warmed up");
    }
}
