package lottery.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import lottery.api.UserId;
import lottery.api.account.AccountId;
import lottery.api.activity.ActivityId;
import lottery.app.LotteryProcess.Reply;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** Tests an account with thousands of events after a restart, which forgets all accounts in memory. */
@Tag("turn-1")
@DisplayName("An account with thousands of events")
class LongAccountIT {

    private static final Duration SNAPSHOT_MAX = Duration.ofSeconds(60);

    /** As many orders of a day as a user can cancel before the next one is refused. */
    private static final int CANCELLED_MAX = 100;

    /** How many requests for ten draws the user makes. */
    private static final int TENS = Integer.getInteger("trial.draws", 300);

    /** A snapshot is made after a hundred events; some more may have come before it was written. */
    private static final int EVENTS_READ_MAX = 250;

    private static final String COFFEE = """
            "mode": "SINGLE", "awards": [{"awardId": 1, "title": "Coffee", "type": "TEXT", "rate": "0.5", "sort": 1}]""";

    private static final String MANY = """
            "zone": "%s", "skus": [{"sku": 1, "total": 90000, "month": 90000, "day": 90000}]""".formatted(TrialActivity.MIDDAY_ZONE);

    private static final JdbcClient OWNER = JdbcClient.create(new DriverManagerDataSource(
            Servers.property("lottery.postgres.url"),
            Servers.property("lottery.postgres.owner"),
            Servers.property("lottery.postgres.owner-password")));

    private final Patience patience = new Patience();

    /** Returns the sequence number of an account's newest event in this table; -1 if there is none. */
    private static long newest(String table, String account) {
        return OWNER.sql("SELECT coalesce(max(sequence), -1) FROM " + table + " WHERE aggregate_id = ?")
                .param(account)
                .query(Long.class)
                .single();
    }

    private static long eventsAfterSnapshot(String account) {
        return newest("event", account) - newest("snapshot", account);
    }

    private static void changeEvents(String account, long upTo, String payload) {
        OWNER.sql("UPDATE event SET payload = " + payload + " WHERE aggregate_id = ? AND sequence <= ?")
                .params(account, upTo)
                .update();
    }

    private static String orderOf(Reply answer) {
        return answer.json().path("orderId").asString();
    }

    private void fill(TrialActivity activity) {
        activity.recharge("ann");
        for (int i = 0; i < CANCELLED_MAX; i++) {
            Reply taken = patience.ask(() -> activity.partake("ann"));
            assertThat(taken.status()).as(taken.text()).isIn(200, 201);
            Reply cancelled = patience.ask(() -> activity.cancel(orderOf(taken)));
            assertThat(cancelled.status()).as(cancelled.text()).isEqualTo(200);
        }
        for (int i = 0; i < TENS; i++) {
            String key = "ten-" + i;
            Patience.created(() -> activity.lottery()
                    .post(activity.account("ann") + "/draws", "{\"count\": 10}", "Idempotency-Key", key));
        }
    }

    /** Starts a process, and returns how long the first draws of both users take, in milliseconds. */
    private List<Long> firstDraws(TrialActivity activity, String key) throws Exception {
        try (LotteryProcess lottery = LotteryProcess.open(Servers.environmentOfTrial())) {
            TrialActivity here = activity.at(lottery);
            // The first draw of all loads classes and the strategy.
            assertThat(patience.ask(() -> here.draw("cat", key)).status()).isEqualTo(201);
            List<Long> millis = new ArrayList<>();
            for (String user : List.of("bob", "ann")) {
                long begunNanos = System.nanoTime();
                Reply drawn = patience.ask(() -> here.draw(user, key));
                millis.add((System.nanoTime() - begunNanos) / 1_000_000);
                assertThat(drawn.status()).as(drawn.text()).isEqualTo(201);
            }
            Reply refused = patience.ask(() -> here.partake("ann"));
            assertThat(refused.code()).as(refused.text()).isEqualTo("CANCELLATION_LIMIT");
            assertThat(patience.ask(() -> here.partake("bob")).status()).isIn(200, 201);
            return millis;
        }
    }

    @Test
    @DisplayName("is read from its snapshot and few events after it, and knows all that has happened")
    void afterRestart() throws Exception {
        TrialActivity activity;
        String account;
        try (LotteryProcess lottery = LotteryProcess.open(Servers.environmentOfTrial())) {
            activity = TrialActivity.open(lottery, COFFEE, MANY);
            account = new AccountId(new ActivityId(activity.id()), new UserId("ann")).text();
            activity.recharge("bob");
            activity.recharge("cat");
            fill(activity);
            await().atMost(SNAPSHOT_MAX).until(() -> eventsAfterSnapshot(account) <= EVENTS_READ_MAX);
        }
        System.out.printf(
                "%d events of the account, %d of them after its snapshot%n",
                newest("event", account) + 1, eventsAfterSnapshot(account));

        // A process that reads one of the older events cannot draw.
        long known = newest("snapshot", account);
        changeEvents(account, known, "'unreadable'::bytea || payload");
        List<Long> withSnapshot;
        try {
            withSnapshot = firstDraws(activity, "with snapshot");
        } finally {
            changeEvents(account, known, "substring(payload FROM length('unreadable') + 1)");
        }
        OWNER.sql("DELETE FROM snapshot WHERE aggregate_id = ?").param(account).update();
        List<Long> without = firstDraws(activity, "without");

        System.out.printf(
                "the first draw after a restart: %d ms with the snapshot, and %d ms of another user;"
                        + " %d ms without it, and %d ms of another user%n",
                withSnapshot.getLast(), withSnapshot.getFirst(), without.getLast(), without.getFirst());
    }
}
