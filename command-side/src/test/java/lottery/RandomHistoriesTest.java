package lottery;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.YearMonth;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import lottery.Http.Response;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Primary;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Runs random histories of user actions, over midnights and ends of months, with a clock that sometimes runs back. The
 * answers have to be those of a model that lists what was spent and drawn, and counts the list each time.
 */
@DisplayName("A random history of recharges, orders, draws and cancellations")
@SpringBootTest(classes = TestLottery.class, webEnvironment = WebEnvironment.RANDOM_PORT)
@Import(RandomHistoriesTest.MovingClock.class)
class RandomHistoriesTest {

    private static final int HISTORIES = Integer.getInteger("histories", 20);
    private static final int STEPS = 60;

    /** An hour is missing in March, and comes twice in October. */
    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

    private static final String RULES = """
            "mode": "SINGLE", "fallback": 1, "awards": [
              {"awardId": 1, "title": "Coffee", "type": "TEXT", "rate": "0.4", "sort": 1},
              {"awardId": 2, "title": "Cinema", "type": "TEXT", "rate": "0.4", "sort": 2, "lockedUntilDraws": 2}]""";

    private static final String CHANCES = """
            "zone": "Europe/Berlin", "skus": [{"sku": 1, "total": 4, "month": 3, "day": 2}]""";

    @TestConfiguration(proxyBeanMethods = false)
    static class MovingClock {

        @Bean
        @Primary
        Clock movingClock() {
            return new Clock();
        }
    }

    static final class Clock implements InstantSource {

        private volatile Instant now = Instant.parse("2026-01-01T00:00:00Z");

        @Override
        public Instant instant() {
            return now;
        }
    }

    /** The expected account, in the simplest form. */
    private static final class Model {

        private int recharges;
        private final List<LocalDate> spent = new ArrayList<>();
        private final List<LocalDate> drawn = new ArrayList<>();
        private final List<String> before = new ArrayList<>();
        private LocalDate latest = LocalDate.EPOCH;
        private @Nullable String open;
        private LocalDate openedOn = LocalDate.EPOCH;

        @Nullable
        String refusal(LocalDate today) {
            if (spent.size() >= 4 * recharges) {
                return "QUOTA_TOTAL";
            }
            YearMonth month = YearMonth.from(today);
            if (spent.stream().filter(day -> YearMonth.from(day).equals(month)).count() >= 3L * recharges) {
                return "QUOTA_MONTH";
            }
            return spent.stream().filter(today::equals).count() >= 2L * recharges ? "QUOTA_DAY" : null;
        }

        LocalDate today(LocalDate byTheClock) {
            return byTheClock.isBefore(latest) ? latest : byTheClock;
        }

        void open(String order, LocalDate today) {
            open = order;
            openedOn = today;
            spent.add(today);
            latest = today;
        }

        void cancel() {
            open = null;
            spent.remove(openedOn);
        }

        /** @return why the draw is refused */
        @Nullable
        String draw(LocalDate today) {
            if (open == null) {
                String refusal = refusal(today);
                if (refusal != null) {
                    return refusal;
                }
                spent.add(today);
            }
            open = null;
            before.add(drawn.size() + "/" + drawn.stream().filter(today::equals).count());
            drawn.add(today);
            latest = today;
            return null;
        }
    }

    private final Http http;
    private final JdbcClient database;
    private final Clock clock;

    @Autowired
    RandomHistoriesTest(@LocalServerPort int port, JdbcClient database, Clock clock) {
        this.http = new Http(port);
        this.database = database;
        this.clock = clock;
    }

    static List<Long> seeds() {
        Long given = Long.getLong("seed");
        return given != null
                ? List.of(given)
                : new Random().longs(HISTORIES).boxed().toList();
    }

    @ParameterizedTest(name = "-Dseed={0}")
    @MethodSource("seeds")
    @DisplayName("Each request of a random history is answered as a simple model answers it.")
    void agreesWithTheModel(long seed) {
        new History(seed).play();
    }

    private final class History {

        private final Random random;
        private final TestActivity activity;
        private final Model model = new Model();
        private final List<String> orders = new ArrayList<>(List.of("order:33-07226822-d971-81cf-8edd-f6a317c687d5"));
        private final List<Repeat> repeats = new ArrayList<>();
        private int number;

        /** A request and its answer. */
        private record Repeat(String path, String body, String key, String answer) {}

        History(long seed) {
            random = new Random(seed);
            clock.now = Instant.parse("2026-01-30T12:00:00Z").plus(Duration.ofHours(random.nextInt(24 * 700)));
            activity = TestActivity.open(http, RULES, CHANCES);
            recharge();
        }

        void play() {
            for (int i = 0; i < STEPS; i++) {
                switch (random.nextInt(10)) {
                    case 0 -> recharge();
                    case 1, 2 -> partake();
                    case 3, 4 -> draw();
                    case 5 -> drawSeveral();
                    case 6 -> drawOrder();
                    case 7 -> cancel();
                    case 8 -> repeat();
                    default -> timeGoesBy();
                }
            }
            repeats.forEach(this::requireSameAnswer);
            assertThat(drawsBefore()).isEqualTo(model.before);
        }

        private LocalDate today() {
            return model.today(LocalDate.ofInstant(clock.now, BERLIN));
        }

        private String key() {
            return "key-" + number++;
        }

        private void recharge() {
            assertThat(activity.recharge("ann", key(), "").status()).isEqualTo(201);
            model.recharges++;
        }

        private void partake() {
            String key = key();
            Response answer = activity.partake("ann", key);
            String open = model.open;
            String refusal = open == null ? model.refusal(today()) : null;
            if (refusal != null) {
                requireRefused(answer, refusal);
                return;
            }
            assertThat(answer.status()).as(answer.text()).isEqualTo(open == null ? 201 : 200);
            String order = answer.json().get("orderId").asString();
            if (open == null) {
                model.open(order, today());
                orders.add(order);
            } else {
                assertThat(order).isEqualTo(open);
            }
            repeats.add(new Repeat("accounts/ann/raffle-orders", "", key, answer.text()));
        }

        private void draw() {
            String key = key();
            String open = model.open;
            Response answer = activity.draw("ann", key);
            String refusal = model.draw(today());
            if (refusal != null) {
                requireRefused(answer, refusal);
                return;
            }
            assertThat(answer.status()).as(answer.text()).isEqualTo(201);
            String order = answer.json().get("orderId").asString();
            assertThat(orders.contains(order)).isEqualTo(open != null);
            assertThat(open == null || open.equals(order)).isTrue();
            orders.add(order);
            repeats.add(new Repeat("accounts/ann/draws", "", key, answer.text()));
        }

        private void drawSeveral() {
            String key = key();
            int asked = 2 + random.nextInt(4);
            String body = "{\"count\": %d}".formatted(asked);
            Response answer = activity.draw("ann", body, key);
            int made = 0;
            String refusal = null;
            while (made < asked && refusal == null) {
                refusal = model.draw(today());
                made += refusal == null ? 1 : 0;
            }
            if (made == 0) {
                requireRefused(answer, String.valueOf(refusal));
                return;
            }
            assertThat(answer.status()).as(answer.text()).isEqualTo(201);
            assertThat(answer.json().get("draws").size()).isEqualTo(made);
            assertThat(answer.json().path("notDrawn").path("code").asString(""))
                    .isEqualTo(refusal == null ? "" : refusal);
            repeats.add(new Repeat("accounts/ann/draws", body, key, answer.text()));
        }

        private void drawOrder() {
            String order = orders.get(random.nextInt(orders.size()));
            Response answer = activity.drawOrder(order);
            if (order.equals(model.open)) {
                assertThat(answer.status()).as(answer.text()).isEqualTo(201);
                assertThat(model.draw(today())).isNull();
            } else {
                assertThat(answer.status()).as(answer.text()).isIn(404, 409);
            }
        }

        private void cancel() {
            String order = orders.get(random.nextInt(orders.size()));
            Response answer = activity.cancel(order);
            if (order.equals(model.open)) {
                assertThat(answer.status()).as(answer.text()).isEqualTo(200);
                model.cancel();
            } else {
                assertThat(answer.status()).as(answer.text()).isIn(404, 409);
            }
        }

        private void repeat() {
            if (!repeats.isEmpty()) {
                requireSameAnswer(repeats.get(random.nextInt(repeats.size())));
            }
        }

        private void requireSameAnswer(Repeat repeat) {
            Response answer = http.post(
                    "/api/v1/activities/" + activity.id + "/" + repeat.path(),
                    repeat.body(),
                    "Idempotency-Key",
                    repeat.key());
            assertThat(answer.text()).isEqualTo(repeat.answer());
            assertThat(answer.status()).isEqualTo(200);
        }

        private void requireRefused(Response answer, String refusal) {
            assertThat(answer.status()).as(answer.text()).isEqualTo(409);
            assertThat(answer.json().get("code").asString()).isEqualTo(refusal);
        }

        /** Moves the clock, mostly around midnight, sometimes into another month, and now and then a little back. */
        private void timeGoesBy() {
            clock.now = switch (random.nextInt(5)) {
                case 0 -> clock.now.minus(Duration.ofMinutes(random.nextInt(180)));
                case 1 ->
                    midnight(LocalDate.ofInstant(clock.now, BERLIN).plusDays(1)).minusMillis(1);
                case 2 -> midnight(LocalDate.ofInstant(clock.now, BERLIN).plusDays(1));
                case 3 ->
                    midnight(YearMonth.from(LocalDate.ofInstant(clock.now, BERLIN))
                            .plusMonths(1)
                            .atDay(1));
                default -> clock.now.plus(Duration.ofHours(random.nextInt(30)));
            };
        }

        private static Instant midnight(LocalDate day) {
            return day.atStartOfDay(BERLIN).toInstant();
        }

        private List<@Nullable String> drawsBefore() {
            return database.sql("SELECT (payload ->> 'drawsBefore') || '/' || (payload ->> 'drawsBeforeToday')"
                            + " FROM event_readable WHERE type = 'raffle.drawn'"
                            + " AND (payload ->> 'activityId')::bigint = ? ORDER BY position")
                    .param(activity.id)
                    .query(String.class)
                    .list();
        }
    }
}
