package lottery.view.figures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import lottery.api.UserId;
import lottery.api.account.AccountId;
import lottery.api.activity.ActivityId;
import lottery.api.raffle.Outcome;
import lottery.api.raffle.Prize;
import lottery.api.raffle.RaffleEvent.RaffleDrawn;
import lottery.api.raffle.RaffleOrderId;
import lottery.api.strategy.AwardType;
import lottery.api.strategy.StrategyId;
import lottery.stage.OnStage;
import lottery.stage.Script;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.http.HttpStatus;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.test.web.servlet.assertj.MockMvcTester;

/** Measures figures and histories, if it is run with {@code -Dfigures=true -Dtest=ManyDrawsTest}: see decision 0052. */
@OnStage
@EnabledIfSystemProperty(named = "figures", matches = "true")
@DisplayName("The speed of figures and histories")
class ManyDrawsTest {

    private static final Duration BUILT_MAX = Duration.ofMinutes(10);
    private static final int USERS = 100_000;
    private static final int DAYS = 10;
    private static final int WARM_UP_READS = 300;
    private static final int READS = 500;

    private final MockMvcTester mvc;
    private final Script script;
    private final JdbcClient sql;
    private final ActivityId activity;
    private final AccountId ann;

    @Autowired
    ManyDrawsTest(MockMvcTester mvc, Script script, JdbcClient sql) {
        this.mvc = mvc;
        this.script = script;
        this.sql = sql;
        this.activity = script.activity();
        this.ann = new AccountId(activity, new UserId("ann"));
    }

    @Test
    @DisplayName("A million draws of 100,000 users have their figures at once.")
    void figures() {
        RaffleOrderId order = template();
        for (int day = 0; day < DAYS; day++) {
            append("""
                    'raffle.drawn', 0, 'order:00-' || md5(:salt::text || '-' || n)::uuid, payload || jsonb_build_object(
                        'userId', 'user-' || n, 'drawsBefore', :salt::int, 'drawnAt', ('2026-03-' || 11 + :salt::int || 'T04:00:00Z'),
                        'orderId', 'order:00-' || md5(:salt::text || '-' || n)::uuid,
                        'award', (payload -> 'award') || jsonb_build_object('awardId', n % 10 + 1))""", order.text(), day);
        }
        long head = count("SELECT position FROM event_head");
        await().atMost(BUILT_MAX)
                .until(() -> count("SELECT (token::text)::bigint FROM token WHERE processor = 'read-models'")
                        >= head - USERS);

        long begunNanos = System.nanoTime();
        assertThat(mvc.post().uri("/api/v1/ops/projections/figures/replay").exchange())
                .hasStatus(HttpStatus.ACCEPTED);
        await().atMost(BUILT_MAX)
                .pollInterval(Duration.ofMillis(20))
                .until(() -> count("SELECT count(*) FROM replay") == 0);
        double seconds = (System.nanoTime() - begunNanos) / 1e9;
        System.out.printf(Locale.ROOT, "replay of figures: %d positions, %.0f a second%n", head, head / seconds);
        String path = "/api/v1/activities/" + activity.value() + "/figures?from=2026-03-01&to=2026-03-31&after=" + head;
        assertThat(mvc.get().uri(path).exchange()).bodyJson().isLenientlyEqualTo("""
                {"total": {"players": %d, "draws": %d}}""".formatted(
                        USERS + 1, USERS * DAYS + 1));
        measure("figures of a million draws", path);
        sql.sql("""
                INSERT INTO view_figure SELECT :activity, day, award, 1, 0, 1, 1, 1, 0, 0, 0, 0, 1
                FROM generate_series('2027-01-01', '2027-12-31', interval '1 day') AS day, generate_series(0, 100) AS award""").param("activity", activity.value()).update();
        measure(
                "figures of a year with a hundred awards",
                "/api/v1/activities/" + activity.value() + "/figures?from=2027-01-01&to=2027-12-31");
    }

    @Test
    @DisplayName("Pages of a user with 100,000 draws are there at once, wherever they begin.")
    void histories() {
        RaffleOrderId order = template();
        script.spent(ann, "2026-03-31");
        append("""
                'raffle.drawn', 0, 'order:00-' || md5('ann' || n + :salt)::uuid, payload
                    || jsonb_build_object('orderId', 'order:00-' || md5('ann' || n + :salt)::uuid)""", order.text(), 0);
        append("""
                'account.chance-spent', n + 1, aggregate_id, payload
                    || jsonb_build_object('orderId', 'order:00-' || md5('ann' || n + :salt)::uuid)""", ann.text(), 0);
        String draws = "/api/v1/activities/" + activity.value() + "/accounts/ann/draws";
        assertThat(mvc.get().uri(draws).exchange())
                .bodyJson()
                .extractingPath("$.items")
                .asArray()
                .hasSize(20);
        measure("newest page of 20 draws of 100,000", draws);
        measure("page of 20 draws in the middle", draws + "?cursor=NTAwMDA");
        measure("page of 100 orders", draws.replace("/draws", "/raffle-orders?limit=100"));
    }

    private void measure(String what, String path) {
        long[] micros = new long[READS];
        for (int i = -WARM_UP_READS; i < READS; i++) {
            long begunNanos = System.nanoTime();
            assertThat(mvc.get().uri(path).exchange()).hasStatusOk();
            if (i >= 0) {
                micros[i] = (System.nanoTime() - begunNanos) / 1_000;
            }
        }
        Arrays.sort(micros);
        System.out.printf(
                Locale.ROOT,
                "%s: p50 %.1f ms, p99 %.1f ms%n",
                what,
                micros[READS / 2] / 1e3,
                micros[READS * 99 / 100] / 1e3);
    }

    /** Draws once, as a template of other draws. */
    private RaffleOrderId template() {
        RaffleOrderId order = script.opened(new AccountId(activity, new UserId("template")), "2026-03-31");
        script.happens(
                order,
                new RaffleDrawn(
                        order,
                        activity,
                        ann.userId(),
                        new StrategyId(1),
                        1,
                        1,
                        0,
                        0,
                        List.of(),
                        null,
                        null,
                        null,
                        "00",
                        Outcome.WON,
                        new Prize(7, "Coffee", AwardType.TEXT, 1, null),
                        Instant.parse("2026-03-10T04:00:00Z")));
        return order;
    }

    /** Appends as many events as there are users, made of the newest event of an aggregate. */
    private void append(String columns, String aggregate, int salt) {
        sql.sql("""
                        WITH template AS (
                            SELECT convert_from(payload, 'UTF8')::jsonb AS payload, metadata, revision, aggregate_id FROM event
                            WHERE aggregate_id = :aggregate ORDER BY sequence DESC LIMIT 1
                        ), head AS (
                            UPDATE event_head SET position = position + :users RETURNING position - :users AS base
                        ), new AS (
                            SELECT base + n + 1 AS position, metadata, revision, %s
                            FROM template, head, generate_series(0, :users - 1) AS n)
                        INSERT INTO event (position, metadata, revision, type, sequence, aggregate_id, payload, event_id, at,
                                           aggregate_type)
                        SELECT position, metadata, revision, type, sequence, id, convert_to(payload::text, 'UTF8'),
                               gen_random_uuid(), now(), 'test'
                        FROM new AS new (position, metadata, revision, type, sequence, id, payload)
                        ORDER BY position""".formatted(columns))
                .param("aggregate", aggregate)
                .param("users", USERS)
                .param("salt", salt)
                .update();
    }

    private long count(String query) {
        return sql.sql(query).query(Long.class).single();
    }
}
