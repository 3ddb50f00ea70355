package lottery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.time.LocalDate;
import java.time.YearMonth;
import java.time.ZoneId;
import lottery.Http.Response;
import lottery.api.UserId;
import lottery.api.account.AccountId;
import lottery.api.activity.ActivityId;
import org.axonframework.common.caching.Cache;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import tools.jackson.databind.json.JsonMapper;

@DisplayName("An account with many events")
@SpringBootTest(classes = TestLottery.class, webEnvironment = WebEnvironment.RANDOM_PORT)
class AccountSnapshotTest {

    private static final Duration SNAPSHOT_MAX = Duration.ofSeconds(30);

    private static final int CANCELLED = 60;

    /** As many orders of a day as a user can cancel before the next one is refused. */
    private static final int CANCELLED_MAX = 100;

    /** Each draw wins the second award, as long as one can. */
    private static final String TWO_EACH = """
            "mode": "SINGLE", "fallback": 1, "awards": [
              {"awardId": 2, "title": "Telephone", "type": "TEXT", "rate": "0.9999999", "sort": 2, "maxPerUser": 2},
              {"awardId": 1, "title": "Coffee", "type": "TEXT", "rate": "0.0000001", "sort": 1}]""";

    private static final String ONCE_A_DAY = """
            "zone": "%s", "participationsMax": 1000,
            "skus": [{"sku": 1, "total": 900, "month": 800, "day": 700, "perUser": {"max": 1, "period": "DAY"}}]""".formatted(TestActivity.MIDDAY_ZONE);

    private final TestActivity activity;
    private final EventStore events;
    private final Cache accounts;
    private final JdbcClient database;

    /** The role of the application may not change events. */
    private final JdbcClient ofOwner;

    private final String account;

    @Autowired
    AccountSnapshotTest(
            @LocalServerPort int port,
            EventStore events,
            @Qualifier("accountCache") Cache accounts,
            JdbcClient database,
            Environment environment) {
        this.activity = TestActivity.open(new Http(port), TWO_EACH, ONCE_A_DAY);
        this.events = events;
        this.accounts = accounts;
        this.database = database;
        this.ofOwner = JdbcClient.create(new DriverManagerDataSource(
                environment.getRequiredProperty("lottery.postgres.url"),
                environment.getRequiredProperty("lottery.postgres.owner"),
                environment.getRequiredProperty("lottery.postgres.owner-password")));
        this.account = new AccountId(new ActivityId(activity.id), new UserId("ann")).text();
    }

    private static String code(Response refused) {
        return refused.json().path("code").asString();
    }

    private static String orderOf(Response answer) {
        return answer.json().path("orderId").asString();
    }

    private void takeAndCancel(int times) {
        for (int i = 0; i < times; i++) {
            Response taken = activity.partake("ann");
            assertThat(taken.status()).as(taken.text()).isEqualTo(201);
            assertThat(activity.cancel(orderOf(taken)).status()).isEqualTo(200);
        }
    }

    /** Recharges, makes three draws, of which two win, and takes and cancels many orders. */
    private void fillAccount() {
        activity.recharge("ann");
        assertThat(activity.draw("ann", "{\"count\": 3}", "three").status()).isEqualTo(201);
        takeAndCancel(CANCELLED);
    }

    private long last() {
        return events.lastSequenceNumberFor(account).orElseThrow();
    }

    /** Returns the sequence number of the last event that is part of the snapshot; -1 if there is no snapshot. */
    private long snapshot() {
        return database.sql("SELECT sequence FROM snapshot WHERE aggregate_id = ?")
                .param(account)
                .query(Long.class)
                .optional()
                .orElse(-1L);
    }

    /** Takes an order, and waits for a snapshot of the account as it is then. */
    private String orderInSnapshot() {
        await().atMost(SNAPSHOT_MAX).until(() -> snapshot() >= 0);
        database.sql("DELETE FROM snapshot WHERE aggregate_id = ?")
                .param(account)
                .update();
        accounts.removeAll();
        String order = orderOf(activity.partake("ann"));
        await().atMost(SNAPSHOT_MAX).until(() -> snapshot() == last());
        accounts.removeAll();
        return order;
    }

    private void changeEvents(String payload, long upTo) {
        ofOwner.sql("UPDATE event SET payload = " + payload + " WHERE aggregate_id = ? AND sequence <= ?")
                .params(account, upTo)
                .update();
    }

    @Test
    @DisplayName("It is read from its snapshot and the events after it, and nothing is forgotten.")
    void survives() {
        fillAccount();
        String order = orderInSnapshot();
        assertThat(events.readEvents(account).asStream()).hasSize(1);
        assertThat(events.readEvents(account, 0).asStream()).hasSize((int) last() + 1);

        long known = last();
        changeEvents("'unreadable'::bytea || payload", known);
        try {
            assertThat(orderOf(activity.partake("ann"))).as("the open order").isEqualTo(order);
            assertThat(code(activity.recharge("ann", "second", "")))
                    .as("the uses of the SKU")
                    .isEqualTo("SKU_LIMIT");
            Response drawn = activity.draw("ann", "next");
            assertThat(orderOf(drawn)).isEqualTo(order);
            assertThat(drawn.json().path("award").path("awardId").asInt())
                    .as("the wins of the limited award")
                    .isEqualTo(1);
            takeAndCancel(CANCELLED_MAX - CANCELLED);
            assertThat(code(activity.partake("ann"))).as("the cancelled orders").isEqualTo("CANCELLATION_LIMIT");
            assertThat(activity.draw("ann", "after it").status()).isEqualTo(201);
        } finally {
            changeEvents("substring(payload FROM length('unreadable') + 1)", known);
        }
    }

    @Test
    @DisplayName("Its snapshot has this form. If the form changes, the revision of ActivityAccount has to change, too.")
    void form() {
        fillAccount();
        String order = orderInSnapshot();
        LocalDate today = LocalDate.now(ZoneId.of(TestActivity.MIDDAY_ZONE));
        String stored = database.sql("SELECT convert_from(payload, 'UTF8') FROM snapshot WHERE aggregate_id = ?")
                .param(account)
                .query(String.class)
                .single();
        JsonMapper json = new JsonMapper();
        assertThat(json.readTree(stored))
                .isEqualTo(json.readTree("""
                        {"id": "%s",
                         "chances": {
                           "granted": {"total": 900, "month": 800, "day": 700},
                           "spent": {"total": 4, "month": "%2$s", "inMonth": 4, "day": "%3$s", "onDay": 4},
                           "drawn": {"total": 3, "month": "%2$s", "inMonth": 3, "day": "%3$s", "onDay": 3},
                           "open": {"orderId": "%4$s", "day": "%3$s", "participationTaken": true},
                           "cancelled": {"total": 60, "month": "%2$s", "inMonth": 60, "day": "%3$s", "onDay": 60},
                           "isOpened": false},
                         "limitedWins": {"2": 2},
                         "skuUses": {"uses": {
                           "1": {"total": 1, "month": "%2$s", "inMonth": 1, "day": "%3$s", "onDay": 1}}}}""".formatted(account, YearMonth.from(today), today, order)));
        assertThat(database.sql("SELECT revision FROM snapshot WHERE aggregate_id = ?")
                        .param(account)
                        .query(String.class)
                        .single())
                .isEqualTo("1");
    }

    @Test
    @DisplayName("A snapshot of another version is not used, and the next one replaces it.")
    void otherVersion() {
        fillAccount();
        String order = orderInSnapshot();
        assertThat(database.sql("UPDATE snapshot SET revision = '0', payload = '{}' WHERE aggregate_id = ?")
                        .param(account)
                        .update())
                .isEqualTo(1);
        assertThat(orderOf(activity.partake("ann", "again"))).isEqualTo(order);
        assertThat(activity.cancel(order).status()).isEqualTo(200);
        await().atMost(SNAPSHOT_MAX)
                .untilAsserted(() -> assertThat(database.sql("SELECT revision FROM snapshot WHERE aggregate_id = ?")
                                .param(account)
                                .query(String.class)
                                .single())
                        .isEqualTo("1"));
        accounts.removeAll();
        takeAndCancel(CANCELLED_MAX - CANCELLED - 1);
        assertThat(code(activity.partake("ann"))).isEqualTo("CANCELLATION_LIMIT");
    }
}
