package lottery.view.ops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.UnsupportedEncodingException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import lottery.api.UserId;
import lottery.api.account.AccountId;
import lottery.api.activity.ActivityId;
import lottery.stage.OnStage;
import lottery.stage.Script;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.core.env.Environment;
import org.springframework.http.HttpStatus;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.test.web.servlet.assertj.MockMvcTester;

/** Measures replays, if it is run with {@code -Dfigures=true -Dtest=ReplayFiguresTest}: see decision 0025. */
@OnStage
@EnabledIfSystemProperty(named = "figures", matches = "true")
@DisplayName("The speed of read models")
class ReplayFiguresTest {

    private static final Duration BUILT_MAX = Duration.ofMinutes(10);
    private static final int ACCOUNTS = Integer.getInteger("figures.accounts", 50_000);
    private static final int SPENT_EACH = 9;
    private static final int ROWS_PER_STATEMENT = 2_000;
    private static final int READS = 2_000;

    private final MockMvcTester mvc;
    private final Script script;
    private final JdbcClient sql;
    private final JdbcClient owner;

    @Autowired
    ReplayFiguresTest(MockMvcTester mvc, Script script, JdbcClient sql, Environment environment) {
        this.mvc = mvc;
        this.script = script;
        this.sql = sql;
        this.owner = JdbcClient.create(new DriverManagerDataSource(
                environment.getRequiredProperty("lottery.postgres.url"),
                environment.getRequiredProperty("lottery.postgres.owner"),
                environment.getRequiredProperty("lottery.postgres.owner-password")));
    }

    @Test
    @DisplayName("The time until a draw is visible is measured.")
    void visible() {
        ActivityId activity = script.activity();
        AccountId account = new AccountId(activity, new UserId("ann"));
        script.recharged(account, READS * 2, READS * 2, READS * 2);
        awaitUsed(activity, 0);
        long[] micros = new long[READS];
        for (int i = 0; i < READS; i++) {
            script.spent(account, "2026-03-31");
            long writtenNanos = System.nanoTime();
            awaitUsed(activity, i + 1);
            micros[i] = (System.nanoTime() - writtenNanos) / 1_000;
        }
        Arrays.sort(micros);
        System.out.printf(
                Locale.ROOT,
                "visible after its commit: p50 %.1f ms, p99 %.1f ms, max %.1f ms%n",
                micros[READS / 2] / 1e3,
                micros[READS * 99 / 100] / 1e3,
                micros[READS - 1] / 1e3);
        assertThat(micros[READS * 99 / 100]).isLessThan(50_000);
    }

    /** Asks again and again without a pause, as no client should. */
    private void awaitUsed(ActivityId activity, int used) {
        long deadline = System.nanoTime() + Duration.ofSeconds(10).toNanos();
        String wanted = "\"used\":" + used + ",\"left\":" + (READS * 2 - used);
        while (!contains(activity, wanted)) {
            assertThat(System.nanoTime()).as("it is to be seen").isLessThan(deadline);
        }
    }

    private boolean contains(ActivityId activity, String wanted) {
        try {
            return mvc.get()
                    .uri("/api/v1/activities/" + activity.value() + "/accounts/ann")
                    .exchange()
                    .getResponse()
                    .getContentAsString()
                    .contains(wanted);
        } catch (UnsupportedEncodingException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    @DisplayName("The replay of accounts is measured.")
    void replay() {
        happens();
        long head = count("SELECT position FROM event_head");
        long wanted = count("SELECT count(*) FROM event WHERE type LIKE 'account.%'");
        await().atMost(BUILT_MAX)
                .until(() -> count("SELECT (token::text)::bigint FROM token WHERE processor = 'read-models'") >= head);

        long begunNanos = System.nanoTime();
        assertThat(mvc.post().uri("/api/v1/ops/projections/accounts/replay").exchange())
                .hasStatus(HttpStatus.ACCEPTED);
        await().atMost(BUILT_MAX)
                .pollInterval(Duration.ofMillis(20))
                .until(() -> count("SELECT count(*) FROM replay") == 0);
        double seconds = (System.nanoTime() - begunNanos) / 1e9;
        long rows = count("SELECT count(*) FROM view_account");

        double bare = bare();
        System.out.printf(
                Locale.ROOT,
                "replay of accounts: %d events of accounts of %d in all, %d rows, in %.1f s: %.0f events of accounts per"
                        + " second, %.0f positions per second; bare SQL inserts the same rows in %.1f s%n",
                wanted,
                head,
                rows,
                seconds,
                wanted / seconds,
                head / seconds,
                bare);
        assertThat(count("""
                        SELECT count(*) FROM view_account
                        WHERE user_id LIKE 'user-%' AND (total_count <> 10 OR total_used <> 9 OR day_draws <> 9)""")).isZero();
    }

    /** Copies only the final rows, in the order of their first events, with the same batch size. */
    private double bare() {
        owner.sql("DROP TABLE IF EXISTS bare_account").update();
        owner.sql("CREATE TABLE bare_account (LIKE view_account INCLUDING ALL)").update();
        long begunNanos = System.nanoTime();
        for (int first = 0; first < ACCOUNTS; first += ROWS_PER_STATEMENT) {
            owner.sql("INSERT INTO bare_account SELECT * FROM view_account WHERE user_id = ANY"
                            + " (SELECT 'user-' || n FROM generate_series(?::int, ?::int) AS n)")
                    .params(first, first + ROWS_PER_STATEMENT - 1)
                    .update();
        }
        return (System.nanoTime() - begunNanos) / 1e9;
    }

    /**
     * Recharges each account once and draws nine times with it, with all other accounts between two draws. Half of the
     * log's events belong to other aggregates.
     */
    private void happens() {
        ActivityId activity = script.activity();
        AccountId ann = new AccountId(activity, new UserId("ann-of-figures"));
        script.recharged(ann, 10, 10, 10);
        script.spent(ann, "2026-03-31");
        script.won(activity, new UserId("ann-of-figures"), "Coffee", "2026-03-31T04:00:00Z");
        // A processor that follows the log handles all of it afterwards.
        append("account.recharged", 0);
        for (int sequence = 1; sequence <= SPENT_EACH; sequence++) {
            append("account.chance-spent", sequence);
        }
    }

    /** Appends one event for each account, and beside it one of another aggregate. */
    private void append(String type, int sequence) {
        sql.sql("""
                        WITH template AS (
                            SELECT convert_from(payload, 'UTF8') AS payload, metadata, at, revision FROM event
                            WHERE type = :type AND aggregate_id LIKE '%ann-of-figures' ORDER BY position DESC LIMIT 1
                        ), head AS (
                            UPDATE event_head SET position = position + :accounts * 2 RETURNING position - :accounts * 2 AS base
                        )
                        INSERT INTO event (position, event_id, at, sequence, aggregate_id, aggregate_type, type, revision,
                                           payload, metadata)
                        SELECT base + n * 2 + other + 1, gen_random_uuid(), at, :sequence,
                               CASE other WHEN 0 THEN 'account:00:1:user-' || n ELSE 'strategy:9' || n END, 'test',
                               CASE other WHEN 0 THEN :type ELSE 'strategy.other' END, revision,
                               convert_to(replace(payload, 'ann-of-figures', 'user-' || n), 'UTF8'), metadata
                        FROM template, head, generate_series(0, :accounts - 1) AS n, generate_series(0, 1) AS other
                        ORDER BY n, other""")
                .param("type", type)
                .param("accounts", ACCOUNTS)
                .param("sequence", sequence)
                .update();
    }

    private long count(String query) {
        return sql.sql(query).query(Long.class).single();
    }
}
