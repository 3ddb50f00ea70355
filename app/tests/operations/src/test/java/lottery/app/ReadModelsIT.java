package lottery.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import lottery.app.LotteryProcess.Reply;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Tests the read models in Redis and PostgreSQL with the packaged jar. */
@Tag("turn-2")
@DisplayName("The read models")
class ReadModelsIT {

    private static final Duration SOON = Duration.ofSeconds(20);
    private static final int DRAWS = 40;

    /** How many of all reads may not be answered in time, beside other work of the machine. */
    private static final int BUSY_MAX = 3;

    /** The counts in an answer without the account, which the read model does not have yet. */
    private static final String NO_ANSWER = "-1 -1 -1";

    @Test
    @DisplayName("Both nodes say the same after each draw, while Redis is flushed again and again")
    void flushed() throws Exception {
        RedisClient client = RedisClient.create(Servers.property("lottery.redis.url"));
        try (LotteryProcess one = LotteryProcess.open(Servers.environmentOfTrial());
                LotteryProcess two = LotteryProcess.open(Servers.environmentOfTrial());
                StatefulRedisConnection<String, String> redis = client.connect()) {
            TrialActivity activity = TrialActivity.open(one, """
                    "mode": "SINGLE", "awards": [
                      {"awardId": 1, "title": "Coffee", "type": "TEXT", "rate": "0.5", "sort": 1}]""", """
                    "zone": "%s", "skus": [{"sku": 1, "total": 100, "month": 90, "day": 80}]""".formatted(TrialActivity.MIDDAY_ZONE));
            activity.recharge("ann");
            AtomicInteger busy = new AtomicInteger();
            for (int i = 1; i <= DRAWS; i++) {
                int draws = i;
                Reply drawn = activity.draw("ann", "draw-" + draws);
                assertThat(drawn.status()).as(drawn.text()).isEqualTo(201);
                if (draws % 3 == 0) {
                    redis.sync().flushall();
                }
                String position = drawn.headers().getFirst("Lottery-Position");
                for (LotteryProcess node : List.of(one, two)) {
                    String left = await().atMost(SOON)
                            .until(
                                    () -> left(node, activity, "?after=" + position),
                                    answer -> !answer.equals(NO_ANSWER));
                    assertThat(left).isEqualTo(leftAfter(draws));
                    // A busy machine may not answer within the two seconds that a read has. The user would ask again.
                    Reply wheel = await().atMost(SOON)
                            .until(
                                    () -> node.get(activity.path("/awards?userId=ann")),
                                    answer -> !answer.text().contains("\"BUSY\"") || busy.incrementAndGet() > BUSY_MAX);
                    assertThat(wheel.status()).as(wheel.text()).isEqualTo(200);
                    await().atMost(SOON)
                            .pollInterval(Duration.ofMillis(5))
                            .untilAsserted(
                                    () -> assertThat(left(node, activity, "")).isEqualTo(leftAfter(draws)));
                }
            }
            // The last flush has also deleted the freshness key, which has to come back before anything is kept.
            await().atMost(SOON).untilAsserted(() -> {
                assertThat(left(one, activity, "")).isEqualTo(leftAfter(DRAWS));
                assertThat(redis.sync().keys("lottery:view:account:*:ann")).isNotEmpty();
            });
        } finally {
            client.shutdown();
        }
    }

    private static String leftAfter(int draws) {
        return "%d %d %d".formatted(100 - draws, 90 - draws, 80 - draws);
    }

    private static String left(LotteryProcess node, TrialActivity activity, String more) {
        JsonNode answer = node.get(activity.account("ann") + more).json();
        return "%d %d %d"
                .formatted(
                        answer.at("/total/left").asInt(-1),
                        answer.at("/month/left").asInt(-1),
                        answer.at("/day/left").asInt(-1));
    }

    @Test
    @DisplayName("A process does not start if a column that it reads is missing, and says which one")
    void missingColumn() throws Exception {
        Map<String, String> answering = new LinkedHashMap<>(Servers.environmentOfTrial());
        answering.put("LOTTERY_ROLES", "query");
        LotteryProcess.open(answering).close();

        // The one table is read by JPA, the other one without it.
        refusesWithout("day_draws", "view_account", answering);
        refusesWithout("business_no", "view_credit_entry", answering);

        LotteryProcess.open(answering).close();
    }

    private static void refusesWithout(String column, String table, Map<String, String> answering) throws Exception {
        execute("ALTER TABLE %s RENAME COLUMN %s TO renamed".formatted(table, column));
        try {
            LotteryProcess refused = LotteryProcess.failing(answering);

            assertThat(refused.exitStatus()).isEqualTo(1);
            assertThat(refused.output())
                    .containsPattern("The tables of the read models do not fit this version: .*" + column)
                    .contains(table)
                    .doesNotContain("\tat ");
        } finally {
            execute("ALTER TABLE %s RENAME COLUMN renamed TO %s".formatted(table, column));
        }
    }

    private static void execute(String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(
                        Servers.property("lottery.postgres.url"),
                        Servers.property("lottery.postgres.owner"),
                        Servers.property("lottery.postgres.owner-password"));
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
