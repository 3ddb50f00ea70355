package lottery.view.wheel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import lottery.api.activity.ActivityId;
import lottery.stage.OnStage;
import lottery.stage.Script;
import lottery.store.processing.ProcessorPositionAwaiter;
import lottery.view.activity.ActivityReader;
import org.axonframework.eventsourcing.eventstore.EventStore;
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
class WheelWarmUpTest {

    private static final Duration SOON = Duration.ofSeconds(15);
    private static final Duration LONG = Duration.ofMinutes(1);

    private final List<ApplicationRunner> runners;
    private final ActivityReader activities;
    private final EventStore events;
    private final ProcessorPositionAwaiter positionAwaiter;
    private final Script script;

    private final List<ActivityId> known = new CopyOnWriteArrayList<>();
    private final List<ActivityId> asked = new CopyOnWriteArrayList<>();

    @Autowired
    WheelWarmUpTest(
            List<ApplicationRunner> runners,
            ActivityReader activities,
            EventStore events,
            ProcessorPositionAwaiter positionAwaiter,
            Script script) {
        this.runners = runners;
        this.activities = activities;
        this.events = events;
        this.positionAwaiter = positionAwaiter;
        this.script = script;
    }

    private CompletableFuture<Void> begin(Duration waitMax) {
        WheelWarmUp warmUp =
                new WheelWarmUp(() -> known.stream().findFirst(), asked::add, events, positionAwaiter, waitMax);
        return CompletableFuture.runAsync(() -> run(warmUp));
    }

    private static void run(ApplicationRunner runner) {
        try {
            runner.run(new DefaultApplicationArguments());
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    @DisplayName("asks for the wheel of the newest activity")
    void asks(CapturedOutput output) {
        ActivityId created = script.activity();
        await().atMost(SOON).until(() -> activities.newest().isPresent());
        runners.forEach(WheelWarmUpTest::run);
        assertThat(output)
                .as("the process itself")
                .doesNotContain("not warmed up")
                .doesNotContain("no activity yet");

        known.add(created);
        begin(LONG).orTimeout(10, TimeUnit.SECONDS).join();
        assertThat(asked).containsExactly(created);
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
        known.add(new ActivityId(1));
        Consumer<ActivityId> broken = _ -> {
            throw new IllegalStateException("on purpose");
        };
        run(new WheelWarmUp(() -> known.stream().findFirst(), broken, events, positionAwaiter, LONG));
        assertThat(output).contains("The queries are not warmed up");
    }
}
