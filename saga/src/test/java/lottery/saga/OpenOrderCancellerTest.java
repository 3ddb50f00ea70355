package lottery.saga;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import lottery.api.activity.ActivityDefinition;
import lottery.api.activity.ActivityEvent.ActivityClosed;
import lottery.api.activity.ActivityEvent.ActivityCreated;
import lottery.api.activity.ActivityEvent.ActivityOpened;
import lottery.api.activity.ActivityEvent.ActivityPassed;
import lottery.api.activity.ActivityEvent.ActivityStarted;
import lottery.api.activity.ActivityId;
import lottery.api.activity.ActivityState;
import lottery.api.raffle.RaffleOrderId;
import lottery.api.strategy.StrategyId;
import org.axonframework.config.EventProcessingConfiguration;
import org.axonframework.eventhandling.StreamingEventProcessor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.test.context.TestConstructor;

@SpringBootTest
@TestConstructor(autowireMode = TestConstructor.AutowireMode.ALL)
@DisplayName("The open orders of a closed activity")
class OpenOrderCancellerTest {

    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final Instant BEGIN = Instant.parse("2050-01-01T00:00:00Z");
    private static final AtomicLong IDS = new AtomicLong(560_000);

    private final Activities activities;
    private final OpenOrders orders;
    private final TestClock clock;
    private final JdbcClient database;
    private final StreamingEventProcessor processor;
    private final ActivityId id = new ActivityId(IDS.incrementAndGet());

    OpenOrderCancellerTest(
            Activities activities,
            OpenOrders orders,
            TestClock clock,
            JdbcClient database,
            EventProcessingConfiguration processing) {
        this.processor = processing
                .eventProcessor("schedule", StreamingEventProcessor.class)
                .orElseThrow();
        this.activities = activities;
        this.orders = orders;
        this.clock = clock;
        this.database = database;
    }

    @BeforeEach
    void start() {
        activities.create(new ActivityCreated(
                id,
                new ActivityDefinition(
                        "Spring",
                        null,
                        BEGIN,
                        BEGIN.plusSeconds(3600),
                        ZoneOffset.UTC,
                        new StrategyId(7),
                        null,
                        null,
                        null,
                        List.of())));
        activities.happens(new ActivityPassed(id, 1, "hash of 1"), ActivityState.PASSED);
        activities.happens(new ActivityStarted(id, 1, "commitment", "k1:sealed", "bound to 1"), ActivityState.DOING);
    }

    @AfterEach
    void end() {
        clock.reset();
        orders.show(Long.MAX_VALUE);
        database.sql("DELETE FROM saga WHERE type = 'activity'").update();
    }

    /** Closes the activity, and waits until the saga waits for the time after which nobody can make an order. */
    private void close() {
        activities.happens(new ActivityClosed(id), ActivityState.CLOSED);
        await("the saga waits").atMost(LIMIT).until(() -> state().contains("\"dueAt\""));
    }

    private String state() {
        return database.sql("SELECT state::text FROM saga WHERE type = 'activity' AND association = ?")
                .param(id.text())
                .query(String.class)
                .single();
    }

    private void awaitNothingDue() {
        await("nothing is due")
                .atMost(LIMIT)
                .untilAsserted(() -> assertThat(
                                database.sql("SELECT due_at FROM saga WHERE type = 'activity' AND association = ?")
                                        .param(id.text())
                                        .query((row, i) -> row.getTimestamp(1))
                                        .list())
                        .containsOnlyNulls());
    }

    private void pass(Duration time) {
        clock.set(clock.instant().plus(time));
    }

    @Test
    @DisplayName("are cancelled ten seconds after the close, also after a cancellation has failed.")
    void cancelled() {
        List<RaffleOrderId> open =
                IntStream.range(0, 450).mapToObj(user -> orders.open(id, user)).toList();
        orders.fail(open.get(8));
        close();
        assertThat(orders.cancelled()).doesNotContainAnyElementsOf(open);
        RaffleOrderId late = orders.open(id, 450); // Another process has not noticed the close yet.
        pass(Duration.ofSeconds(10));
        awaitNothingDue();
        assertThat(orders.cancelled()).containsAll(open).contains(late);
    }

    @Test
    @DisplayName("stay open if the activity is started again before.")
    void startedAgain() {
        RaffleOrderId order = orders.open(id, 0);
        close();
        activities.happens(new ActivityOpened(id), ActivityState.OPENED);
        activities.happens(new ActivityStarted(id, 2, "commitment", "k1:sealed", "bound to 1"), ActivityState.DOING);
        await("the saga knows").atMost(LIMIT).until(() -> !state().contains("\"dueAt\""));
        pass(Duration.ofSeconds(11));
        await("the seed is published")
                .atMost(LIMIT)
                .until(() -> !activities.receivedFor(id).isEmpty());
        assertThat(orders.cancelled()).doesNotContain(order);
    }

    @Test
    @DisplayName("are looked for when the read model of accounts shows all that happened before.")
    void behind() {
        orders.show(0);
        RaffleOrderId early = orders.open(id, 0);
        close();
        pass(Duration.ofSeconds(10));
        await("the saga waits for the read model").atMost(LIMIT).until(() -> state().matches(".*\"upTo\": ?[0-9].*"));
        RaffleOrderId shownLate = orders.open(id, 1);
        assertThat(orders.cancelled()).doesNotContain(early, shownLate);
        orders.show(Long.MAX_VALUE);
        awaitNothingDue();
        assertThat(orders.cancelled()).contains(early, shownLate);
    }

    @Test
    @DisplayName("stay open if the log says that the activity was started again, and the saga does not know it yet.")
    void startedUnseen() {
        orders.show(0);
        RaffleOrderId order = orders.open(id, 0);
        close();
        pass(Duration.ofSeconds(10));
        await("the saga waits for the read model").atMost(LIMIT).until(() -> state().matches(".*\"upTo\": ?[0-9].*"));
        processor.shutdownAsync().join();
        try {
            activities.happens(new ActivityOpened(id), ActivityState.OPENED);
            activities.happens(
                    new ActivityStarted(id, 2, "commitment", "k1:sealed", "bound to 1"), ActivityState.DOING);
            orders.show(Long.MAX_VALUE);
            await("the sweep ends").atMost(LIMIT).until(() -> !state().contains("\"upTo\""));
            assertThat(orders.cancelled()).doesNotContain(order);
        } finally {
            processor.start();
        }
    }
}
