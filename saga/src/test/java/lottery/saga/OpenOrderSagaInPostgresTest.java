package lottery.saga;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import lottery.api.UserId;
import lottery.api.account.AccountId;
import lottery.api.activity.ActivityDefinition;
import lottery.api.activity.ActivityEvent.ActivityClosed;
import lottery.api.activity.ActivityEvent.ActivityCreated;
import lottery.api.activity.ActivityEvent.ActivityOpened;
import lottery.api.activity.ActivityEvent.ActivityPassed;
import lottery.api.activity.ActivityEvent.ActivityStarted;
import lottery.api.activity.ActivityEvent.SeedPublished;
import lottery.api.activity.ActivityId;
import lottery.api.activity.ActivityState;
import lottery.api.raffle.RaffleOrderId;
import lottery.api.raffle.RaffleRequestIdentity;
import lottery.api.strategy.StrategyId;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.test.context.TestConstructor;

@SpringBootTest
@TestConstructor(autowireMode = TestConstructor.AutowireMode.ALL)
@DisplayName("Open orders of a closed activity")
class OpenOrderSagaInPostgresTest {

    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final Instant BEGIN = Instant.parse("2050-01-01T00:00:00Z");
    private static final AtomicLong IDS = new AtomicLong(7_000);

    private final Activities activities;
    private final OpenOrders orders;
    private final TestClock clock;
    private final JdbcClient database;
    private final ActivityId id = new ActivityId(IDS.incrementAndGet());

    OpenOrderSagaInPostgresTest(Activities activities, OpenOrders orders, TestClock clock, JdbcClient database) {
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
        database.sql("DELETE FROM saga WHERE type IN ('activity', 'order')").update();
    }

    private AccountId account(int user) {
        return new AccountId(id, new UserId("user-" + user));
    }

    private RaffleOrderId open(int user) {
        RaffleOrderId order = RaffleRequestIdentity.of(account(user), "order").id();
        orders.create(account(user), order);
        return order;
    }

    private void close() {
        activities.happens(new ActivityClosed(id), ActivityState.CLOSED);
    }

    private void awaitSagas(int count) {
        await("sagas")
                .atMost(LIMIT)
                .untilAsserted(() -> assertThat(
                                database.sql("SELECT count(*) FROM saga WHERE type = 'order' AND association = ?")
                                        .param(id.text())
                                        .query(Integer.class)
                                        .single())
                        .isEqualTo(count));
    }

    @Test
    @DisplayName("are cancelled, each once, after the seed is published; a failed cancellation is repeated.")
    void cancelled() {
        List<RaffleOrderId> open = IntStream.range(0, 450).mapToObj(this::open).toList();
        orders.use(account(7), open.get(7));
        orders.fail(open.get(8));
        close();
        awaitSagas(1);
        assertThat(orders.cancelled()).doesNotContainAnyElementsOf(open);
        RaffleOrderId late = open(450); // Another process has not noticed the close yet.

        activities.happens(new SeedPublished(id, 1, "seed"), ActivityState.CLOSED);
        awaitSagas(0);
        assertThat(orders.cancelled())
                .doesNotHaveDuplicates()
                .contains(late)
                .containsAll(
                        open.stream().filter(each -> !each.equals(open.get(7))).toList())
                .doesNotContain(open.get(7));
    }

    @Test
    @DisplayName("stay open if the activity is started again before.")
    void startedAgain() {
        RaffleOrderId order = open(0);
        close();
        awaitSagas(1);
        activities.happens(new ActivityOpened(id), ActivityState.OPENED);
        activities.happens(new ActivityStarted(id, 2, "commitment", "k1:sealed", "bound to 1"), ActivityState.DOING);
        activities.happens(new SeedPublished(id, 1, "seed"), ActivityState.DOING);
        awaitSagas(0);
        assertThat(orders.cancelled()).doesNotContain(order);
    }
}
