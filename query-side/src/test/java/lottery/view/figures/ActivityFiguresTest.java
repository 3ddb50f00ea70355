package lottery.view.figures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import lottery.api.Money;
import lottery.api.UserId;
import lottery.api.account.AccountEvent.AccountOpened;
import lottery.api.account.AccountId;
import lottery.api.activity.ActivityId;
import lottery.api.activity.ChanceBundle;
import lottery.api.activity.SkuId;
import lottery.api.award.AwardRecordId;
import lottery.api.payment.PaymentEvent.MoneyTaken;
import lottery.api.payment.PaymentEvent.PaymentDelivered;
import lottery.api.payment.PaymentEvent.PaymentOrdered;
import lottery.api.payment.PaymentEvent.RefundOrdered;
import lottery.api.payment.PaymentId;
import lottery.api.payment.RefundReason;
import lottery.api.payment.Trade;
import lottery.api.raffle.Outcome;
import lottery.api.raffle.Prize;
import lottery.api.raffle.RaffleEvent.RaffleDrawn;
import lottery.api.raffle.RaffleOrderId;
import lottery.api.raffle.RaffleRequestIdentity;
import lottery.api.strategy.AwardDefinition;
import lottery.api.strategy.AwardType;
import lottery.api.strategy.StrategyDefinition;
import lottery.api.strategy.StrategyDefinition.Mode;
import lottery.api.strategy.StrategyEvent.StrategyDefined;
import lottery.api.strategy.StrategyId;
import lottery.stage.OnStage;
import lottery.stage.PatientReader;
import lottery.stage.Script;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.http.HttpStatus;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.test.web.servlet.assertj.MvcTestResult;

@OnStage
@DisplayName("The figures of an activity")
class ActivityFiguresTest {

    private static final Duration SOON = Duration.ofSeconds(30);
    private static final AtomicLong IDS = new AtomicLong(940_000);

    private final MockMvcTester mvc;
    private final Script script;
    private final JdbcClient sql;
    private final Map<String, Integer> draws = new HashMap<>();

    private StrategyId strategy = new StrategyId(1);
    private ActivityId activity = new ActivityId(1);

    @Autowired
    ActivityFiguresTest(MockMvcTester mvc, Script script, JdbcClient sql) {
        this.mvc = mvc;
        this.script = script;
        this.sql = sql;
    }

    /** Opens an activity in Shanghai, with an award that costs 2.50 and one that costs nothing. */
    @BeforeEach
    void open() {
        strategy = new StrategyId(IDS.incrementAndGet());
        activity = new ActivityId(strategy.value());
        script.created(activity, strategy);
        AwardDefinition free = Script.award(102, 2, 0);
        AwardDefinition award = Script.award(101, 1, 0);
        script.happens(
                strategy,
                new StrategyDefined(
                        strategy, 1, StrategyDefinition.of(Mode.SINGLE, List.of(costing(award, "2.50"), free), null)));
    }

    private static AwardDefinition costing(AwardDefinition award, String cost) {
        return award.but().cost(new BigDecimal(cost)).build();
    }

    @AfterEach
    void leaveNothing() {
        sql.sql("DELETE FROM parked_event WHERE processor = 'figures'").update();
        script.start("figures");
    }

    @Test
    @DisplayName("The days are those of the activity's zone, and a user counts once a day and once in the total.")
    void contract() {
        AccountId ann = account("ann");
        script.happens(ann, new AccountOpened(activity, ann.userId(), new ChanceBundle(3, 2, 1)));
        script.recharged(ann, 5, 5, 5);
        RaffleOrderId cancelled = script.opened(ann, "2026-03-30");
        script.returned(ann, cancelled, "2026-03-30");
        drawn("ann", 0, 101, "2026-03-30T15:59:59.999999Z");
        drawn("ann", 1, null, "2026-03-30T12:00:00Z");
        drawn("bob", 0, 101, "2026-03-30T04:00:00Z");
        drawn("ann", 0, 102, "2026-03-30T16:00:00Z");
        drawn("eve", 0, null, "2026-04-02T00:00:00Z");
        String given = sql.sql("SELECT (now() AT TIME ZONE 'Asia/Shanghai')::date::text")
                .query(String.class)
                .single();

        assertThat(figures("?from=2026-03-30&to=2026-03-31"))
                .hasStatusOk()
                .bodyJson()
                .isStrictlyEqualTo("""
                        {"activityId": %d, "zone": "Asia/Shanghai", "from": "2026-03-30", "to": "2026-03-31", "visitors": 0, "payers": 0,
                         "budget": null,
                         "total": {"players": 3, "draws": 5, "entries": 0, "cost": "5",
                           "wins": [{"awardId": 101, "wins": 2, "cost": "5"}, {"awardId": 102, "wins": 1, "cost": "0"}],
                           "freeChances": 3, "rechargedChances": 5, "spentChances": 1, "returnedChances": 1},
                         "days": [
                           {"day": "2026-03-30", "sums": {"players": 2, "draws": 3, "entries": 0, "cost": "5",
                             "wins": [{"awardId": 101, "wins": 2, "cost": "5"}],
                             "freeChances": 0, "rechargedChances": 0, "spentChances": 1, "returnedChances": 1}},
                           {"day": "2026-03-31", "sums": {"players": 1, "draws": 1, "entries": 0, "cost": "0",
                             "wins": [{"awardId": 102, "wins": 1, "cost": "0"}],
                             "freeChances": 0, "rechargedChances": 0, "spentChances": 0, "returnedChances": 0}}]}""".formatted(activity.value()));
        assertThat(figures("?to=" + given))
                .bodyJson()
                .extractingPath("$.days[*].sums.freeChances")
                .isEqualTo(List.of(3));
        assertThat(figures("?from=2026-04-02")).bodyJson().isLenientlyEqualTo("""
                        {"from": "2026-04-02", "to": "2026-05-01", "total": {"draws": 5},
                         "days": [{"day": "2026-04-02", "sums": {"players": 1, "draws": 1}}]}""");
    }

    @Test
    @DisplayName("Each visitor counts once, and so does each user who has paid and kept what they bought.")
    void visitorsAndPayers() {
        for (String user : List.of("ann", "bob", "ann")) {
            await().atMost(Duration.ofSeconds(15))
                    .untilAsserted(() -> assertThat(mvc.get()
                                    .uri("/api/v1/activities/{id}/awards?userId={user}", activity.value(), user))
                            .hasStatusOk());
        }
        bought("ann", "first");
        bought("ann", "second");
        PaymentId refunded = bought("bob", "first");
        script.happens(
                refunded,
                new RefundOrdered(
                        refunded, new UserId("bob"), trade(refunded), RefundReason.ORDERED_BY_DESK, Instant.EPOCH));
        await().atMost(Duration.ofSeconds(15))
                .untilAsserted(() -> assertThat(figures("")).bodyJson().isLenientlyEqualTo("""
                        {"visitors": 2, "payers": 1}"""));
    }

    private PaymentId bought(String user, String number) {
        UserId userId = new UserId(user);
        PaymentId payment = PaymentId.of(userId, number + activity.value());
        Money price = new Money(BigDecimal.TEN, "CNY");
        script.happens(
                payment,
                new PaymentOrdered(payment, activity, userId, new SkuId(1), number, price, "simulator", Instant.EPOCH));
        script.happens(payment, new MoneyTaken(payment, userId, trade(payment), price, Instant.EPOCH));
        script.happens(payment, new PaymentDelivered(payment, userId, trade(payment)));
        return payment;
    }

    private static Trade trade(PaymentId payment) {
        return new Trade("simulator", payment.number());
    }

    @Test
    @DisplayName("Entries of a pool are counted on their days, and its wins when they are drawn, with what they cost.")
    void pool() {
        strategy = new StrategyId(IDS.incrementAndGet());
        activity = new ActivityId(strategy.value());
        AwardDefinition award = Script.award(Script.WON_AWARD, 1, 0);
        script.happens(
                strategy,
                new StrategyDefined(
                        strategy, 1, StrategyDefinition.of(Mode.SINGLE, List.of(costing(award, "2.50")), null)));
        script.pool(activity, strategy);
        script.entered(account("ann"), "2026-03-29", 0, 0);
        script.entered(account("ann"), "2026-03-30", 1, 0);
        script.entered(account("bob"), "2026-03-30", 0, 0);
        AwardRecordId won = script.won(activity, new UserId("bob"), "Coffee", "2026-03-31T04:00:00Z");
        script.wonInsteadOf(won, activity, new UserId("bob"), "Tea", "2026-03-31T05:00:00Z");

        assertThat(figures("?from=2026-03-29&to=2026-03-31")).bodyJson().isLenientlyEqualTo("""
                        {"total": {"players": 2, "draws": 1, "entries": 3, "cost": "2.5",
                                   "wins": [{"awardId": 7, "wins": 1, "cost": "2.5"}]},
                         "days": [
                           {"day": "2026-03-29", "sums": {"players": 1, "draws": 0, "entries": 1}},
                           {"day": "2026-03-30", "sums": {"players": 2, "draws": 0, "entries": 2}},
                           {"day": "2026-03-31", "sums": {"players": 0, "draws": 1, "cost": "2.5"}}]}""");
    }

    @Test
    @DisplayName("An activity without draws has figures of nothing, and there are none of an unknown activity.")
    void nothing() {
        assertThat(figures("")).hasStatusOk().bodyJson().isLenientlyEqualTo("""
                {"total": {"players": 0, "draws": 0, "cost": "0", "wins": []}, "days": []}""");
        assertThat(mvc.get().uri("/api/v1/activities/987654321/figures").exchange())
                .hasStatus(HttpStatus.NOT_FOUND)
                .bodyJson()
                .isLenientlyEqualTo("{'why': 'NOT_FOUND', 'subject': 'activity:987654321'}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "from=1969-12-31",
                "to=10000-01-01",
                "to=2026-01-01&from=2026-01-02",
                "to=2027-01-02&from=2026-01-01",
            })
    @DisplayName("Days that cannot be, or more of them than a year has, are refused.")
    void refused(String days) {
        assertThat(figures("?" + days)).hasStatus(HttpStatus.BAD_REQUEST);
    }

    @Test
    @DisplayName("A leap year is not too long.")
    void leapYear() {
        assertThat(figures("?from=2028-01-01&to=2028-12-31")).hasStatusOk();
    }

    @Test
    @DisplayName("A draw that is handled late counts once, and so does everything after a replay with it.")
    void parked() {
        drawn("ann", 0, 101, "2026-03-30T04:00:00Z");
        RaffleOrderId late = drawn("bob", 0, 101, "2026-03-30T04:00:00Z");
        drawn("eve", 0, 101, "2026-03-30T04:00:00Z");
        assertDraws(3);

        script.stop("figures");
        sql.sql("UPDATE view_figure SET draws = draws - 1 WHERE activity_id = ?")
                .param(activity.value())
                .update();
        sql.sql("INSERT INTO parked_event (processor, position, sequence_id, cause, retry_at)"
                        + " SELECT 'figures', position, 'bob', 'test', now() FROM event WHERE aggregate_id = ?")
                .param(late.text())
                .update();
        script.start("figures");
        await().atMost(SOON)
                .until(() -> sql.sql("SELECT count(*) FROM parked_event WHERE processor = 'figures'")
                                .query(Long.class)
                                .single()
                        == 0);
        assertDraws(3);

        sql.sql("UPDATE view_figure SET draws = 99 WHERE activity_id = ?")
                .param(activity.value())
                .update();
        assertThat(mvc.post().uri("/api/v1/ops/projections/figures/replay").exchange())
                .hasStatus(HttpStatus.ACCEPTED);
        await().atMost(SOON).untilAsserted(() -> assertDraws(3));
        drawn("ann", 1, 101, "2026-03-30T04:00:00Z");
        assertDraws(4);
    }

    private void assertDraws(int count) {
        assertThat(figures("")).bodyJson().extractingPath("$.total.draws").isEqualTo(count);
    }

    private AccountId account(String user) {
        return new AccountId(activity, new UserId(user));
    }

    private RaffleOrderId drawn(String user, int beforeToday, @Nullable Integer awardId, String at) {
        AccountId account = account(user);
        int before = draws.merge(user, 1, Integer::sum) - 1;
        RaffleOrderId order =
                RaffleRequestIdentity.of(account, "draw-" + before).id();
        script.happens(
                order,
                new RaffleDrawn(
                        order,
                        activity,
                        account.userId(),
                        strategy,
                        1,
                        1,
                        before,
                        beforeToday,
                        List.of(),
                        null,
                        null,
                        null,
                        "00",
                        awardId == null ? Outcome.NOTHING : Outcome.WON,
                        awardId == null ? null : new Prize(awardId, "Award", AwardType.TEXT, 1, null),
                        Instant.parse(at)));
        return order;
    }

    private MvcTestResult figures(String query) {
        long head = sql.sql("SELECT position FROM event_head").query(Long.class).single();
        return PatientReader.read(
                mvc,
                "/api/v1/activities/" + activity.value() + "/figures" + query + (query.isEmpty() ? "?" : "&") + "after="
                        + head);
    }
}
