package lottery.view.winners;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import lottery.api.UserId;
import lottery.api.account.AccountId;
import lottery.api.activity.ActivityId;
import lottery.api.award.AwardRecordId;
import lottery.api.award.Winners.Winner;
import lottery.api.raffle.Outcome;
import lottery.api.raffle.Prize;
import lottery.api.raffle.RaffleOrderId;
import lottery.api.raffle.RaffleRequestIdentity;
import lottery.api.strategy.AwardType;
import lottery.api.strategy.StrategyDefinition;
import lottery.api.strategy.StrategyEvent.StrategyDefined;
import lottery.api.strategy.StrategyId;
import lottery.stage.OnStage;
import lottery.stage.Script;
import lottery.view.activity.RedisActivityReadModel;
import lottery.view.winners.WinnerBroadcaster.WinnerSubscription;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.http.HttpStatus;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.test.web.servlet.assertj.MockMvcTester;

@OnStage
@DisplayName("The latest winners")
class WinnersTest {

    private static final int CROWD = 12;
    private static final int NEWS = 3;
    private static final Duration SOON = Duration.ofSeconds(20);
    private static final AtomicLong IDS = new AtomicLong(770_000);
    private static final int COFFEE = 101;
    private static final int CAR = 102;

    private final MockMvcTester mvc;
    private final Script script;
    private final RedisActivityReadModel activities;
    private final WinnerRowRepository rows;
    private final WinnerBroadcaster broadcaster;
    private final JdbcClient sql;

    private StrategyId strategy = new StrategyId(1);
    private ActivityId activity = new ActivityId(1);
    private int draws;

    @Autowired
    WinnersTest(
            MockMvcTester mvc,
            Script script,
            RedisActivityReadModel activities,
            WinnerRowRepository rows,
            WinnerBroadcaster broadcaster,
            JdbcClient sql) {
        this.mvc = mvc;
        this.script = script;
        this.activities = activities;
        this.rows = rows;
        this.broadcaster = broadcaster;
        this.sql = sql;
    }

    /** Opens an activity in which everybody who wins nothing else gets coffee. */
    @BeforeEach
    void open() {
        strategy = new StrategyId(IDS.incrementAndGet());
        activity = new ActivityId(strategy.value());
        script.created(activity, strategy);
        script.happens(
                strategy,
                new StrategyDefined(
                        strategy,
                        1,
                        StrategyDefinition.of(
                                StrategyDefinition.Mode.SINGLE,
                                List.of(Script.award(COFFEE, 1, 0), Script.award(CAR, 2, 0)),
                                COFFEE)));
    }

    @Test
    @DisplayName("A winner is shown with a masked name, the award and the time, the newest first.")
    void contract() {
        drawn("annika@example.com", Outcome.WON, CAR);
        drawn("nothing-1", Outcome.NOTHING, null);
        drawn("user-000042", Outcome.WON, CAR);
        await().atMost(SOON).until(() -> winners().size() == 2);

        assertThat(mvc.get()
                        .uri("/api/v1/activities/{id}/winners", activity.value())
                        .exchange())
                .bodyJson()
                .isLenientlyEqualTo("""
                        {"items": [
                          {"name": "us***2", "awardId": 102, "title": "Award 102", "type": "CREDIT", "amount": "7.50",
                           "wonAt": "2026-03-31T04:00:00Z"},
                          {"name": "a***a@***", "awardId": 102}]}""");
        List<Winner> winners = winners();
        assertThat(winners)
                .extracting(winner -> Long.valueOf(winner.position()))
                .containsExactlyElementsOf(
                        sql.sql("SELECT position FROM view_winner WHERE activity_id = ? ORDER BY position DESC")
                                .param(activity.value())
                                .query(Long.class)
                                .list());
        assertThat(mvc.get()
                        .uri("/api/v1/activities/{id}/winners?limit=1", activity.value())
                        .exchange())
                .bodyText()
                .contains("us***2")
                .doesNotContain("a***a");
    }

    @Test
    @DisplayName("Winners of an award from the table are shown, but not fallbacks and substitutes.")
    void news() {
        drawn("nothing-1", Outcome.NOTHING, null);
        drawn("fallback-1", Outcome.FALLBACK, COFFEE);
        drawn("coffee-1", Outcome.WON, COFFEE);
        drawn("car-1", Outcome.WON, CAR);

        await().atMost(SOON).until(() -> !winners().isEmpty());
        assertThat(winners()).extracting(Winner::name).containsExactly("c***");
    }

    @Test
    @DisplayName("Winners of a pool are shown, and a win without a draw in an activity that draws at once is not.")
    void pool() {
        ActivityId pool = new ActivityId(IDS.incrementAndGet());
        script.pool(pool, strategy);
        script.won(activity, new UserId("no-draw"), "Coffee", "2026-03-31T04:00:00Z");
        AwardRecordId won = script.won(pool, new UserId("user-000042"), "Dinner", "2026-03-31T04:00:00Z");
        script.wonInsteadOf(won, pool, new UserId("user-000042"), "Tea", "2026-03-31T05:00:00Z");
        drawn("car-1", Outcome.WON, CAR);

        await().atMost(SOON).until(() -> !winners().isEmpty());
        assertThat(winners()).extracting(Winner::name).containsExactly("c***");
        assertThat(mvc.get()
                        .uri("/api/v1/activities/{id}/winners", pool.value())
                        .exchange())
                .bodyJson()
                .isLenientlyEqualTo("""
                        {"items": [{"name": "us***2", "title": "Dinner", "wonAt": "2026-03-31T04:00:00Z"}]}""")
                .doesNotHavePath("$.items[1]");
    }

    @Test
    @DisplayName("The newest winners are kept, up to a limit.")
    void bounded() {
        for (int i = 0; i < WinnerProjection.KEPT_MAX + 30; i++) {
            drawn("user-" + i, Outcome.WON, CAR);
        }
        RaffleOrderId last = drawn("the-last-one", Outcome.WON, CAR);

        await().atMost(Duration.ofSeconds(60))
                .until(() -> winners().getFirst().name().equals("th***ne"));
        assertThat(last).isNotNull();
        assertThat(sql.sql("SELECT count(*) FROM view_winner WHERE activity_id = ?")
                        .param(activity.value())
                        .query(Long.class)
                        .single())
                .isEqualTo(WinnerProjection.KEPT_MAX);
    }

    @Test
    @DisplayName("The winners are the same when every event comes again.")
    void replayed() {
        drawn("annika", Outcome.WON, CAR);
        drawn("coffee", Outcome.WON, COFFEE);
        drawn("bertha", Outcome.WON, CAR);
        await().atMost(SOON).until(() -> winners().size() == 2);
        List<Winner> before = winners();

        script.replay("winners");

        assertThat(winners()).isEqualTo(before);
    }

    @Test
    @DisplayName("A replay repairs the winners, which then go on.")
    void builtAnew() {
        drawn("annika", Outcome.WON, CAR);
        drawn("coffee", Outcome.WON, COFFEE);
        drawn("bertha", Outcome.WON, CAR);
        await().atMost(SOON).until(() -> winners().size() == 2);
        List<Winner> before = winners();
        sql.sql("UPDATE view_winner SET title = 'Wrong' WHERE activity_id = ?")
                .param(activity.value())
                .update();

        assertThat(mvc.post().uri("/api/v1/ops/projections/winners/replay").exchange())
                .hasStatus(HttpStatus.ACCEPTED);

        await().atMost(SOON).until(() -> winners().equals(before));
        drawn("cecilia", Outcome.WON, CAR);
        await().atMost(SOON).until(() -> winners().size() == 3);
    }

    @ParameterizedTest
    @ValueSource(strings = {"winners", "winners?after=1", "winners/stream", "winners/stream?lastEventId=0"})
    @DisplayName("There are no winners of an activity that does not exist, and no subscribers.")
    void unknown(String path) {
        assertThat(mvc.get().uri("/api/v1/activities/987654321/" + path).exchange())
                .hasStatus(HttpStatus.NOT_FOUND)
                .bodyJson()
                .isLenientlyEqualTo("{'why': 'NOT_FOUND', 'subject': 'activity:987654321'}");
    }

    @Test
    @DisplayName("The list is empty before the first win.")
    void nobody() {
        await().atMost(SOON)
                .untilAsserted(() -> assertThat(mvc.get()
                                .uri("/api/v1/activities/{id}/winners", activity.value())
                                .exchange())
                        .hasStatusOk()
                        .bodyJson()
                        .isStrictlyEqualTo("{'items': []}"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "101", "-1"})
    @DisplayName("A malformed request is refused.")
    void malformed(String limit) {
        assertThat(mvc.get()
                        .uri("/api/v1/activities/{id}/winners?limit=" + limit, activity.value())
                        .exchange())
                .hasStatus(HttpStatus.BAD_REQUEST);
    }

    @Test
    @DisplayName("A subscriber that is too slow gets what there is room for, and is then dropped without a gap.")
    void slow() throws Exception {
        WinnerSubscription slow =
                broadcaster.enter(activity, WinnerPositions.none(1)).orElseThrow();
        WinnerSubscriber listener = slow.listener();
        int tellings = 0;
        while (listener.offer(new byte[] {1})) {
            tellings++;
        }

        assertThat(listener.isGone()).isTrue();
        assertThat(listener.offer(new byte[] {1})).isFalse();
        assertThat(listener.next(Duration.ZERO)).hasSize(tellings);
        drawn("annika", Outcome.WON, CAR);
        await().atMost(SOON).until(() -> !winners().isEmpty());
        // The broadcaster notices it with the next news, and removes the subscriber.
        await().atMost(SOON).until(() -> broadcaster.count() == 0);
        assertThat(new String(broadcaster.missed(slow, slow.toldFrom()), StandardCharsets.UTF_8))
                .isEmpty();
        WinnerSubscription again =
                broadcaster.enter(activity, WinnerPositions.none(1)).orElseThrow();
        assertThat(new String(broadcaster.missed(again, slow.toldFrom()), StandardCharsets.UTF_8))
                .contains("a***a");
        broadcaster.leave(again.listener());
    }

    @Test
    @DisplayName("There is a limit of subscribers, and the next one is refused as busy.")
    void tooMany() {
        List<WinnerSubscriber> entered = new ArrayList<>();
        await().atMost(SOON).until(() -> activities.has(activity));
        try {
            for (int i = 0; i < WinnerBroadcaster.LISTENERS_MAX; i++) {
                entered.add(broadcaster
                        .enter(activity, WinnerPositions.none(1))
                        .orElseThrow()
                        .listener());
            }
            assertThat(broadcaster.enter(activity, WinnerPositions.none(1))).isEqualTo(Optional.empty());
            assertThat(mvc.get()
                            .uri("/api/v1/activities/{id}/winners/stream", activity.value())
                            .exchange())
                    .hasStatus(HttpStatus.SERVICE_UNAVAILABLE);
        } finally {
            entered.forEach(broadcaster::leave);
        }
        assertThat(broadcaster.count()).isZero();
    }

    /** The positions that a subscriber has received, which knew everything up to one. */
    private record Heard(long seen, List<Long> positions) {}

    @Test
    @DisplayName("Each winner is told once to each subscriber, however many subscribe at once, and whatever they know.")
    void atOneMoment() throws Exception {
        drawn("annika", Outcome.WON, CAR);
        await().atMost(SOON).until(() -> winners().size() == 1);
        Random random = new Random(7);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int moment = 0; moment < 12; moment++) {
                CyclicBarrier together = new CyclicBarrier(CROWD);
                int before = winners().size();
                List<Future<Heard>> heard = new ArrayList<>();
                for (int i = 0; i < CROWD; i++) {
                    int late = random.nextInt(3);
                    heard.add(threads.submit(() -> listens(late, together, before + NEWS)));
                }
                for (int i = 0; i < NEWS; i++) {
                    drawn("bertha", Outcome.WON, CAR);
                }
                await().atMost(SOON).until(() -> heard.stream().allMatch(Future::isDone));
                List<Long> all = positions();
                for (Future<Heard> each : heard) {
                    Heard what = each.get(1, TimeUnit.SECONDS);
                    assertThat(what.positions())
                            .isEqualTo(all.stream()
                                    .filter(position -> position > what.seen())
                                    .toList());
                }
            }
        }
        assertThat(broadcaster.count()).isZero();
    }

    /** Subscribes together with the others, or later when some news has come, and reads until all winners were told. */
    private Heard listens(int late, CyclicBarrier together, int winners) throws Exception {
        together.await(SOON.toSeconds(), TimeUnit.SECONDS);
        await().pollInterval(Duration.ofMillis(1))
                .atMost(SOON)
                .until(() -> positions().size() >= winners - NEWS + late);
        long seen = positions().getLast();
        WinnerBroadcaster.WinnerSubscription subscription =
                broadcaster.enter(activity, at(seen)).orElseThrow();
        try {
            StringBuilder told = new StringBuilder(new String(broadcaster.missed(subscription, at(seen)), UTF_8));
            await().atMost(SOON).until(() -> {
                subscription
                        .listener()
                        .next(Duration.ofMillis(20))
                        .forEach(news -> told.append(new String(news, UTF_8)));
                List<Long> all = positions();
                return all.size() == winners && (seen == all.getLast() || told.indexOf("id: " + all.getLast()) >= 0);
            });
            // This is longer than the pause between two reads of the table: nothing more comes.
            assertThat(subscription.listener().next(Duration.ofMillis(300))).isEmpty();
            return new Heard(
                    seen,
                    told.toString()
                            .lines()
                            .filter(line -> line.startsWith("id: "))
                            .map(line -> Long.valueOf(line.substring(4)))
                            .toList());
        } finally {
            broadcaster.leave(subscription.listener());
        }
    }

    private static WinnerPositions at(long position) {
        return new WinnerPositions(List.of(position));
    }

    private List<Long> positions() {
        return winners().reversed().stream()
                .map(Winner::position)
                .map(Long::valueOf)
                .toList();
    }

    private RaffleOrderId drawn(String user, Outcome outcome, @Nullable Integer awardId) {
        draws++;
        UserId userId = new UserId(user);
        RaffleOrderId order = RaffleRequestIdentity.of(new AccountId(activity, userId), "draw-" + draws)
                .id();
        Prize prize = awardId == null
                ? null
                : new Prize(awardId, "Award " + awardId, AwardType.CREDIT, 1, new BigDecimal("7.50"));
        script.drawn(order, new AccountId(activity, userId), strategy, 1, outcome, prize);
        return order;
    }

    private List<Winner> winners() {
        return activities.has(activity) ? rows.newest(activity, 100) : List.of();
    }
}
