package lottery.view.odds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import lottery.api.UserId;
import lottery.api.account.AccountId;
import lottery.api.activity.ActivityId;
import lottery.api.raffle.Outcome;
import lottery.api.raffle.Prize;
import lottery.api.raffle.RaffleOrderId;
import lottery.api.raffle.RaffleRequestIdentity;
import lottery.api.strategy.AwardType;
import lottery.api.strategy.OddsAudit;
import lottery.api.strategy.OddsAudit.AuditedShare;
import lottery.api.strategy.OddsAudit.OddsVerdict;
import lottery.api.strategy.StrategyDefinition;
import lottery.api.strategy.StrategyDefinition.Mode;
import lottery.api.strategy.StrategyEvent.StrategyDefined;
import lottery.api.strategy.StrategyEvent.StrategyRevised;
import lottery.api.strategy.StrategyId;
import lottery.stage.OnStage;
import lottery.stage.Script;
import lottery.view.odds.OddsAuditReader.FindOddsAudit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.http.HttpStatus;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.test.web.servlet.assertj.MockMvcTester;

@OnStage
@DisplayName("The audit of odds")
class OddsAuditTest {

    private static final Duration SOON = Duration.ofSeconds(30);
    private static final AtomicLong IDS = new AtomicLong(990_000);

    private final MockMvcTester mvc;
    private final Script script;
    private final OddsAuditReader audits;
    private final JdbcClient sql;

    private StrategyId strategy = new StrategyId(1);
    private ActivityId activity = new ActivityId(1);
    private int draws;

    @Autowired
    OddsAuditTest(MockMvcTester mvc, Script script, OddsAuditReader audits, JdbcClient sql) {
        this.mvc = mvc;
        this.script = script;
        this.audits = audits;
        this.sql = sql;
    }

    /** Opens an activity with two awards of 0.1 each. */
    @BeforeEach
    void open() {
        strategy = new StrategyId(IDS.incrementAndGet());
        activity = new ActivityId(strategy.value());
        script.created(activity, strategy);
        script.happens(strategy, new StrategyDefined(strategy, 1, definition()));
    }

    private static StrategyDefinition definition() {
        return StrategyDefinition.of(Mode.SINGLE, List.of(Script.award(101, 1, 0), Script.award(102, 2, 0)), null);
    }

    @AfterEach
    void leaveNothing() {
        sql.sql("DELETE FROM parked_event WHERE processor = 'odds'").update();
        script.start("odds");
    }

    @Test
    @DisplayName("The audit shows promised and drawn shares exactly, for each version and award, and for nothing.")
    void contract() {
        drawn(1, 101, 2);
        drawn(1, null, 14);
        script.happens(strategy, new StrategyRevised(strategy, 2, definition()));
        drawn(2, 102, 1);
        await().atMost(SOON).until(() -> audit().versions().size() == 2);

        assertThat(mvc.get()
                        .uri("/api/v1/activities/{id}/odds/audit", activity.value())
                        .exchange())
                .bodyJson()
                .isLenientlyEqualTo("""
                        {"activityId": %d, "confidence": "0.999", "versions": [
                          {"strategyId": %d, "version": 1, "draws": 16, "compared": 16, "shares": [
                            {"awardId": 101, "title": "Award 101", "promised": "0.1", "compared": 16, "won": 2,
                             "drawn": "0.125", "verdict": "AGREES"},
                            {"awardId": 102, "promised": "0.1", "compared": 16, "won": 0, "drawn": "0", "verdict": "AGREES"},
                            {"promised": "0.8", "compared": 16, "won": 14, "drawn": "0.875", "verdict": "AGREES"}]},
                          {"version": 2, "draws": 1, "shares": [{"won": 0}, {"won": 1}, {"won": 0}]}]}""".formatted(activity.value(), strategy.value()));
    }

    @Test
    @DisplayName("The audit is empty before the first draw, and there is none of an unknown activity.")
    void nothingDrawn() {
        await().atMost(SOON)
                .untilAsserted(() -> assertThat(mvc.get()
                                .uri("/api/v1/activities/{id}/odds/audit", activity.value())
                                .exchange())
                        .hasStatusOk()
                        .bodyJson()
                        .isLenientlyEqualTo("{'versions': []}"));
        assertThat(mvc.get().uri("/api/v1/activities/987654321/odds/audit").exchange())
                .hasStatus(HttpStatus.NOT_FOUND)
                .bodyJson()
                .isLenientlyEqualTo("{'why': 'NOT_FOUND', 'subject': 'activity:987654321'}");
    }

    @Test
    @DisplayName("The audit reports shares that disagree.")
    void disagree() {
        drawn(1, 101, 40);
        drawn(1, null, 60);
        await().atMost(SOON).until(() -> draws() == 100);

        assertThat(audit().versions().getFirst().shares())
                .extracting(AuditedShare::verdict)
                .containsExactly(OddsVerdict.DISAGREES, OddsVerdict.DISAGREES, OddsVerdict.DISAGREES);
        assertThat(audit().versions().getFirst().shares().getFirst().interval())
                .satisfies(
                        interval -> assertThat(interval.low()).isBetween(new BigDecimal("0.2"), new BigDecimal("0.3")));
    }

    @Test
    @DisplayName("No draw is counted twice, whether all are delivered again or one is late.")
    void once() {
        drawn(1, 101, 1);
        RaffleOrderId late = drawn(1, 102, 1);
        drawn(1, null, 8);
        await().atMost(SOON).until(() -> draws() == 10);
        OddsAudit before = audit();

        script.replay("odds");
        assertThat(audit()).isEqualTo(before);

        // The event is handled late, like a parked one.
        script.stop("odds");
        sql.sql("UPDATE view_odds SET compared = compared - 1, won = CASE award_id WHEN 102 THEN won - 1 ELSE won END"
                        + " WHERE activity_id = ?")
                .param(activity.value())
                .update();
        parked(late);
        assertThat(audit()).isNotEqualTo(before);
        script.start("odds");

        await().atMost(SOON).untilAsserted(() -> assertThat(audit()).isEqualTo(before));
        await().atMost(SOON).until(() -> parked() == 0);
    }

    @Test
    @DisplayName("A replay repairs the counts and includes parked draws, which are not counted again later.")
    void builtAnew() {
        drawn(1, 101, 1);
        RaffleOrderId late = drawn(1, 102, 1);
        drawn(1, null, 8);
        await().atMost(SOON).until(() -> draws() == 10);
        OddsAudit before = audit();
        script.stop("odds");
        parked(late);
        sql.sql("UPDATE view_odds SET compared = compared + 1 WHERE activity_id = ?")
                .param(activity.value())
                .update();

        assertThat(mvc.post().uri("/api/v1/ops/projections/odds/replay").exchange())
                .hasStatus(HttpStatus.ACCEPTED);
        await().atMost(SOON).untilAsserted(() -> assertThat(audit()).isEqualTo(before));

        script.start("odds");
        drawn(1, null, 1);
        await().atMost(SOON).until(() -> draws() > 10);
        await().atMost(SOON).until(() -> parked() == 0);
        assertThat(draws()).isEqualTo(11);
    }

    private void parked(RaffleOrderId order) {
        sql.sql("INSERT INTO parked_event (processor, position, sequence_id, cause, retry_at)"
                        + " SELECT 'odds', position, ?, 'test', now() FROM event WHERE aggregate_id = ?")
                .param(order.text())
                .param(order.text())
                .update();
    }

    private long parked() {
        return sql.sql("SELECT count(*) FROM parked_event WHERE processor = 'odds'")
                .query(Long.class)
                .single();
    }

    private RaffleOrderId drawn(int version, @Nullable Integer awardId, int times) {
        RaffleOrderId last = order();
        for (int i = 0; i < times; i++) {
            last = order();
            script.drawn(
                    last,
                    new AccountId(activity, new UserId("ann")),
                    strategy,
                    version,
                    awardId == null ? Outcome.NOTHING : Outcome.WON,
                    awardId == null ? null : new Prize(awardId, "Award", AwardType.TEXT, 1, null));
        }
        return last;
    }

    private RaffleOrderId order() {
        draws++;
        return RaffleRequestIdentity.of(new AccountId(activity, new UserId("ann")), "draw-" + draws)
                .id();
    }

    private long draws() {
        return audit().versions().stream()
                .mapToLong(OddsAudit.AuditedVersion::draws)
                .sum();
    }

    private OddsAudit audit() {
        return audits.answer(new FindOddsAudit(activity)).orElseGet(() -> new OddsAudit(activity, "0.999", List.of()));
    }
}
