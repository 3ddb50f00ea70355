package lottery.view.ops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.UnsupportedEncodingException;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;
import lottery.api.Money;
import lottery.api.UserId;
import lottery.api.account.AccountId;
import lottery.api.account.RechargeEvent.RechargeCompleted;
import lottery.api.account.RechargeId;
import lottery.api.activity.ActivityEvent.ActivitySubmitted;
import lottery.api.activity.ActivityId;
import lottery.api.activity.ChanceBundle;
import lottery.api.activity.SkuId;
import lottery.api.entitlement.ContentId;
import lottery.api.entitlement.EntitlementEvent.EntitlementGranted;
import lottery.api.entitlement.EntitlementId;
import lottery.api.payment.PaymentEvent.MoneyTaken;
import lottery.api.payment.PaymentEvent.PaymentDelivered;
import lottery.api.payment.PaymentEvent.PaymentOrdered;
import lottery.api.payment.PaymentId;
import lottery.api.payment.Trade;
import lottery.api.proposal.ProposalEvent.ProposalDeclined;
import lottery.api.proposal.ProposalEvent.ProposalMade;
import lottery.api.proposal.ProposalId;
import lottery.api.proposal.ProposedAction;
import lottery.api.raffle.Outcome;
import lottery.api.raffle.Prize;
import lottery.api.raffle.RaffleOrderId;
import lottery.api.rebate.BehaviourId;
import lottery.api.signin.SignInEvent.UserSignedIn;
import lottery.api.signin.SignInsId;
import lottery.api.strategy.AwardType;
import lottery.api.strategy.StrategyDefinition;
import lottery.api.strategy.StrategyEvent.StrategyDefined;
import lottery.api.strategy.StrategyId;
import lottery.stage.OnStage;
import lottery.stage.PatientReader;
import lottery.stage.Script;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.http.HttpStatus;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.test.web.servlet.assertj.MvcTestResult;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.MissingNode;

@OnStage
@DisplayName("The read models for operators")
class ProjectionsTest {

    private static final Duration BUILT_MAX = Duration.ofSeconds(60);
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final AtomicLong IDS = new AtomicLong(970_000);
    private static final UserId ANN = new UserId("ann");

    private final MockMvcTester mvc;
    private final Script script;
    private final JdbcClient sql;
    private final DataSource database;

    @Autowired
    ProjectionsTest(MockMvcTester mvc, Script script, JdbcClient sql, DataSource database) {
        this.mvc = mvc;
        this.script = script;
        this.sql = sql;
        this.database = database;
    }

    @AfterEach
    void leaveNothing() {
        sql.sql("DELETE FROM replay").update();
    }

    @Test
    @DisplayName("Operators see how far each read model is, and which of them can be built anew.")
    void seen() {
        happened();
        long head = head();

        await().atMost(BUILT_MAX).until(() -> state("accounts").path("position").asLong() == head);

        JsonNode accounts = state("accounts");
        assertThat(accounts.path("head").asLong()).isEqualTo(head);
        assertThat(accounts.path("lag").asLong()).isZero();
        assertThat(accounts.path("parked").asLong()).isZero();
        assertThat(accounts.path("replayable").asBoolean()).isTrue();
        assertThat(state("redis").path("replayable").asBoolean()).isFalse();
        assertThat(states().stream().map(state -> state.path("name").asString()))
                .contains("accounts", "activities", "wins", "wheel", "redis");
    }

    @ParameterizedTest
    @CsvSource({
        "accounts,view_account",
        "activities,view_activity",
        "wins,view_win",
        "wheel,view_award",
        "odds,view_odds",
        "winners,view_winner",
        "audit,view_audit",
        "sign-ins,view_sign_in",
        "recharge-history,view_recharge",
        "proposals,view_proposal",
        "payments,view_payment",
        "entitlements,view_entitlement",
        "trades,view_trade",
        "figures,view_figure",
    })
    @DisplayName("A read model that is built anew equals the old one, row by row.")
    void replayed(String name, String table) {
        happened();
        ReadModel before = readModel(table);

        assertThat(replay(name)).hasStatus(HttpStatus.ACCEPTED);
        awaitBuilt(name);

        ReadModel after = readModel(table);
        assertThat(after.rows()).isEqualTo(before.rows()).isNotEmpty();
        assertThat(after.number()).isNotEqualTo(before.number());
        assertThat(after.indexes()).isEqualTo(before.indexes());
        happened();
    }

    private record ReadModel(List<Map<String, @Nullable Object>> rows, long number, List<@Nullable String> indexes) {}

    private ReadModel readModel(String table) {
        return new ReadModel(
                sql.sql("SELECT * FROM " + table + " ORDER BY 1, 2, 3, 4")
                        .query()
                        .listOfRows(),
                sql.sql("SELECT to_regclass(?)::oid::bigint")
                        .param(table)
                        .query(Long.class)
                        .single(),
                sql.sql("SELECT indexdef FROM pg_indexes WHERE tablename = ? ORDER BY 1")
                        .param(table)
                        .query(String.class)
                        .list());
    }

    @Test
    @DisplayName("During a replay the old table answers, operators see the progress, and a second replay is refused.")
    void underWay() throws SQLException {
        ActivityId activity = happened();
        try (Connection reading = database.getConnection()) {
            reading.setAutoCommit(false);
            try (Statement longOne = reading.createStatement()) {
                longOne.execute("SET LOCAL idle_in_transaction_session_timeout = 0");
                longOne.execute("SELECT count(*) FROM view_account");
            }
            assertThat(replay("accounts")).hasStatus(HttpStatus.ACCEPTED);
            assertThat(replay("accounts"))
                    .hasStatus(HttpStatus.CONFLICT)
                    .bodyJson()
                    .extractingPath("$.why")
                    .isEqualTo("REPLAY_RUNNING");
            await().atMost(BUILT_MAX)
                    .until(() ->
                            state("accounts").path("replay").path("percent").asDouble() > 90);
            assertThat(state("accounts").path("replay").path("begunAt").asString())
                    .isNotEmpty();
            script.recharged(new AccountId(activity, ANN), 1, 1, 1);
            assertThat(chancesOfAnn(activity))
                    .bodyJson()
                    .extractingPath("$.total.count")
                    .isEqualTo(11);
            reading.rollback();
        }
        awaitBuilt("accounts");
        assertThat(chancesOfAnn(activity))
                .bodyJson()
                .extractingPath("$.total.count")
                .isEqualTo(11);
    }

    @ParameterizedTest
    @ValueSource(strings = {"redis", "nobody", "view_account; DROP TABLE event"})
    @DisplayName("A read model without a table cannot be built anew.")
    void unknown(String name) {
        assertThat(replay(name)).hasStatus(HttpStatus.NOT_FOUND);
        assertThat(state(name).path("replay").isObject()).isFalse();
    }

    private ActivityId happened() {
        StrategyId strategy = new StrategyId(IDS.incrementAndGet());
        ActivityId activity = new ActivityId(strategy.value());
        script.happens(strategy, new StrategyDefined(strategy, 1, definition()));
        script.created(activity, strategy);
        script.happens(activity, new ActivitySubmitted(activity));
        AccountId account = new AccountId(activity, ANN);
        script.recharged(account, 10, 10, 10);
        RechargeId recharge = RechargeId.of(ANN, "business-" + activity.value());
        script.happens(
                recharge,
                new RechargeCompleted(
                        recharge, activity, ANN, new SkuId(1), "business", new ChanceBundle(10, 10, 10), false, null));
        RaffleOrderId order = script.spent(account, "2026-03-31");
        script.drawn(order, account, strategy, 1, Outcome.WON, new Prize(7, "Coffee", AwardType.TEXT, 1, null));
        script.won(activity, ANN, "Coffee", "2026-03-31T04:00:00Z");
        ProposedAction action = ProposedAction.dropOfDeadLetter("dead-letter:" + activity.value());
        ProposalId proposal = action.proposalId();
        script.happens(
                proposal, new ProposalMade(proposal, null, action, null, null, Instant.parse("2026-04-07T04:00:00Z")));
        script.happens(proposal, new ProposalDeclined(proposal, null, "paul", "Too much"));
        PaymentId payment = PaymentId.of(ANN, "buy-" + activity.value());
        Trade trade = new Trade("simulator", "trade-" + activity.value());
        Money price = new Money(new BigDecimal("9.90"), "CNY");
        Instant noon = Instant.parse("2026-03-31T04:00:00Z");
        script.happens(
                payment, new PaymentOrdered(payment, activity, ANN, new SkuId(1), "buy", price, "simulator", noon));
        script.happens(payment, new MoneyTaken(payment, ANN, trade, price, noon));
        script.happens(payment, new PaymentDelivered(payment, ANN, trade));
        UserId reader = new UserId("reader-" + activity.value());
        ContentId content = new ContentId("course");
        script.happens(
                EntitlementId.of(reader, content), new EntitlementGranted(reader, content, recharge.text(), true));
        UserId signer = new UserId("signer-" + activity.value());
        LocalDate day = LocalDate.parse("2026-03-31");
        script.happens(
                new SignInsId(signer),
                new UserSignedIn(signer, day, 1, 1, BehaviourId.of(signer, "sign", "sign-in:" + day)));
        assertThat(PatientReader.read(mvc, "/api/v1/users/" + signer + "/sign-ins?after=" + head()))
                .hasStatusOk();
        assertThat(PatientReader.read(mvc, "/api/v1/users/" + reader + "/entitlements?after=" + head()))
                .hasStatusOk();
        assertThat(PatientReader.read(mvc, "/api/v1/ops/proposals?after=" + head()))
                .hasStatusOk();
        for (String path : Set.of(
                "",
                "/accounts/ann",
                "/accounts/ann/awards",
                "/accounts/ann/recharges",
                "/winners",
                "/odds/audit",
                "/figures")) {
            String uri = "/api/v1/activities/" + activity.value() + path + "?after=" + head();
            assertThat(PatientReader.read(mvc, uri)).hasStatusOk();
        }
        return activity;
    }

    private static StrategyDefinition definition() {
        return StrategyDefinition.of(StrategyDefinition.Mode.SINGLE, List.of(Script.award(7, 1, 0)), null);
    }

    private MvcTestResult chancesOfAnn(ActivityId activity) {
        return PatientReader.read(mvc, "/api/v1/activities/" + activity.value() + "/accounts/ann?after=" + head());
    }

    private MvcTestResult replay(String name) {
        return mvc.post().uri("/api/v1/ops/projections/{name}/replay", name).exchange();
    }

    private void awaitBuilt(String name) {
        await().atMost(BUILT_MAX)
                .until(() -> sql.sql("SELECT count(*) FROM replay WHERE processor = ?")
                                .param(name)
                                .query(Long.class)
                                .single()
                        == 0);
    }

    private JsonNode state(String name) {
        return states().stream()
                .filter(state -> state.path("name").asString().equals(name))
                .findFirst()
                .orElse(MissingNode.getInstance());
    }

    private List<JsonNode> states() {
        try {
            String body = mvc.get()
                    .uri("/api/v1/ops/projections")
                    .exchange()
                    .getResponse()
                    .getContentAsString();
            return JSON.readTree(body).path("items").valueStream().toList();
        } catch (UnsupportedEncodingException e) {
            throw new IllegalStateException(e);
        }
    }

    private long head() {
        return sql.sql("SELECT position FROM event_head").query(Long.class).single();
    }
}
