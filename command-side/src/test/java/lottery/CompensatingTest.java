package lottery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import java.util.ArrayList;
import java.util.List;
import lottery.Http.Response;
import lottery.api.UserId;
import lottery.api.account.AccountCommand.CompensateAward;
import lottery.api.account.AccountId;
import lottery.api.activity.ActivityId;
import lottery.api.award.AwardCommand.ForfeitAward;
import lottery.api.award.AwardCommand.LeaveToDesk;
import lottery.api.award.AwardCommand.ReleaseAward;
import lottery.api.award.AwardEvent;
import lottery.api.award.AwardEvent.AwardWon;
import lottery.api.award.AwardRecordId;
import lottery.api.award.AwardState;
import lottery.api.strategy.GrantTime.Timing;
import lottery.api.strategy.Remedy;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.jdbc.core.simple.JdbcClient;

@DisplayName("A won award with a stock of one")
@SpringBootTest(classes = TestLottery.class, webEnvironment = WebEnvironment.RANDOM_PORT)
class CompensatingTest {

    private static final String RULES = """
            "mode": "SINGLE", "fallback": 1, "awards": [
              {"awardId": 1, "title": "Points", "type": "TEXT", "rate": "0.0001", "sort": 1, "amount": {"min": "1", "max": "100"},
               "grant": {"timing": "MANUAL"}},
              {"awardId": 2, "title": "Weekend", "type": "%s", "rate": "0.9999", "sort": 2, "stock": 1,
               "onFailure": "SUBSTITUTE", "grant": %s}]""";

    private static final String TWO_A_DAY = """
            "zone": "%s", "skus": [{"sku": 1, "total": 9, "month": 9, "day": 2}]""".formatted(TestActivity.MIDDAY_ZONE);

    private final Http http;
    private final EndpointCommandSender commands;
    private final EventStore events;
    private final JdbcClient database;

    @Autowired
    CompensatingTest(
            @LocalServerPort int port, EndpointCommandSender commands, EventStore events, JdbcClient database) {
        this.http = new Http(port);
        this.commands = commands;
        this.events = events;
        this.database = database;
    }

    private TestActivity open(String type, String grant) {
        TestActivity activity = TestActivity.open(http, RULES.formatted(type, grant), TWO_A_DAY);
        activity.recharge("ann");
        return activity;
    }

    /** Draws, and returns the win of the weekend. One draw in ten thousand wins points instead. */
    private AwardRecordId win(TestActivity activity) {
        Response draw = activity.draw("ann", "first");
        assertThat(draw.json().get("award").get("awardId").asInt())
                .as("one draw in ten thousand wins points")
                .isEqualTo(2);
        return AwardRecordId.of(draw.json().get("awardRecordId").asString());
    }

    private static AccountId ann(TestActivity activity) {
        return new AccountId(new ActivityId(activity.id), new UserId("ann"));
    }

    private Response fulfil(AwardRecordId id, String result) {
        return http.post(
                "/api/v1/award-records/" + id + "/fulfilments",
                "{\"result\": \"%s\", \"reference\": \"r\"}".formatted(result));
    }

    private AwardState compensate(TestActivity activity, AwardRecordId id, Remedy by) {
        return commands.send(new CompensateAward(ann(activity), id, by)).orThrow();
    }

    private List<AwardEvent> eventsOf(AwardRecordId id) {
        List<AwardEvent> all = new ArrayList<>();
        events.readEvents(id.text()).forEachRemaining(event -> all.add((AwardEvent) event.getPayload()));
        return all;
    }

    private long taken(TestActivity activity) {
        return database.sql("SELECT coalesce(sum(taken), 0) FROM counter WHERE name = ?")
                .param("award:%d/2".formatted(activity.id))
                .query(Long.class)
                .single();
    }

    private static String state(Response answer) {
        return answer.json().get("state").asString();
    }

    @Nested
    @DisplayName("A rejected award")
    class RejectedAward {

        private final TestActivity activity = open("CODE", "null");
        private final AwardRecordId id = win(activity);

        @Test
        @DisplayName("A rejected award is replaced by the fallback, once, and another user can win it.")
        void substituted() throws Exception {
            assertThat(state(fulfil(id, "REJECTED"))).isEqualTo("REJECTED");
            TestActivity.inParallel(10, i -> {
                assertThat(compensate(activity, id, Remedy.SUBSTITUTE)).isEqualTo(AwardState.COMPENSATED);
                return fulfil(id, "GRANTED");
            });
            assertThat(eventsOf(id)).hasSize(3);
            List<AwardEvent> instead = eventsOf(id.substituteFor(new UserId("ann")));
            assertThat(instead).hasSize(1);
            AwardWon points = (AwardWon) instead.getFirst();
            assertThat(points.award().awardId()).isEqualTo(1);
            assertThat(points.award().amount()).isBetween(java.math.BigDecimal.ONE, new java.math.BigDecimal(100));
            assertThat(points.insteadOf()).isEqualTo(id);
            assertThat(points.onFailure()).isEqualTo(Remedy.MANUAL);
            assertThat(points.grant().timing()).isEqualTo(Timing.MANUAL);
            assertThat(taken(activity)).isZero();
            assertThat(activity.draw("ann", "second")
                            .json()
                            .get("award")
                            .get("awardId")
                            .asInt())
                    .isEqualTo(2);
        }

        @Test
        @DisplayName(
                "A rejected award is replaced by a fallback that is granted with its win, if that needs no fulfilment.")
        void substitutedAtOnce() {
            String rules = RULES.formatted("CODE", "null").replace("MANUAL", "INSTANT");
            TestActivity atOnce = TestActivity.open(http, rules, TWO_A_DAY);
            atOnce.recharge("ann");
            AwardRecordId lost = win(atOnce);
            fulfil(lost, "REJECTED");
            assertThat(compensate(atOnce, lost, Remedy.SUBSTITUTE)).isEqualTo(AwardState.COMPENSATED);
            AwardRecordId substitute = lost.substituteFor(new UserId("ann"));
            assertThat(eventsOf(substitute))
                    .singleElement(type(AwardWon.class))
                    .extracting(AwardWon::grantReference)
                    .isEqualTo("text:" + substitute.key());
            assertThat(state(fulfil(substitute, "REJECTED"))).isEqualTo("GRANTED");
        }

        @Test
        @DisplayName("A rejected award returns the chance, once, and the draw stays a draw.")
        void chanceReturned() throws Exception {
            activity.draw("ann", "second");
            assertThat(activity.draw("ann", "third").json().get("code").asString())
                    .isEqualTo("QUOTA_DAY");
            fulfil(id, "REJECTED");
            TestActivity.inParallel(10, i -> {
                assertThat(compensate(activity, id, Remedy.RETURN_CHANCE)).isEqualTo(AwardState.COMPENSATED);
                return fulfil(id, "REJECTED");
            });
            assertThat(taken(activity)).isZero();
            assertThat(activity.draw("ann", "third").status()).isEqualTo(201);
            assertThat(activity.draw("ann", "fourth").json().get("code").asString())
                    .isEqualTo("QUOTA_DAY");
            assertThat(database.sql("SELECT max((payload ->> 'drawsBeforeToday')::int) FROM event_readable"
                                    + " WHERE type = 'raffle.drawn' AND (payload ->> 'activityId')::bigint = ?")
                            .param(activity.id)
                            .query(Integer.class)
                            .single())
                    .isEqualTo(2);
        }

        @Test
        @DisplayName("A rejected award goes to the desk if its chance would be worth nothing any more.")
        void chanceTooLate() {
            fulfil(id, "REJECTED");
            activity.transition("close");
            assertThat(compensate(activity, id, Remedy.RETURN_CHANCE)).isEqualTo(AwardState.ON_DESK);
            assertThat(commands.send(new CompensateAward(ann(activity), id, Remedy.RETURN_CHANCE))
                            .toString())
                    .contains("ACTIVITY_NOT_OPEN");
            assertThat(compensate(activity, id, Remedy.SUBSTITUTE)).isEqualTo(AwardState.COMPENSATED);
        }

        @Test
        @DisplayName("A rejected award goes to the desk if all participations of its activity are taken.")
        void chanceWhenFull() {
            TestActivity full =
                    TestActivity.open(http, RULES.formatted("CODE", "null"), "\"participationsMax\": 1, " + TWO_A_DAY);
            full.recharge("ann");
            AwardRecordId only = win(full);
            fulfil(only, "REJECTED");
            assertThat(compensate(full, only, Remedy.RETURN_CHANCE)).isEqualTo(AwardState.ON_DESK);
            assertThat(commands.send(new CompensateAward(ann(full), only, Remedy.RETURN_CHANCE))
                            .toString())
                    .contains("ACTIVITY_FULL");
            assertThat(compensate(full, only, Remedy.SUBSTITUTE)).isEqualTo(AwardState.COMPENSATED);
        }

        @Test
        @DisplayName("A rejected award with an automatic compensation stays rejected if it is left to the desk.")
        void notLeft() {
            fulfil(id, "REJECTED");
            assertThat(commands.send(new LeaveToDesk(id, "why")).orThrow()).isEqualTo(AwardState.REJECTED);
        }

        @Test
        @DisplayName("An award is compensated neither before its rejection nor after its grant.")
        void onlyRejected() {
            assertThat(commands.send(new CompensateAward(ann(activity), id, Remedy.SUBSTITUTE)))
                    .hasToString("No[refused=Refused[why=AWARD_STATE, subject=" + id + " (WON), findings=[]]]");
            fulfil(id, "GRANTED");
            assertThat(state(fulfil(id, "REJECTED"))).isEqualTo("GRANTED");
            assertThat(eventsOf(id)).hasSize(2);
        }

        @Test
        @DisplayName("An award on the desk can be granted or compensated.")
        void onDesk() {
            assertThat(commands.send(new LeaveToDesk(id, "no answer")).orThrow())
                    .isEqualTo(AwardState.ON_DESK);
            assertThat(state(fulfil(id, "GRANTED"))).isEqualTo("GRANTED");
        }

        @Test
        @DisplayName("An award on the desk is rejected by a late answer, and then compensated.")
        void lateRejection() {
            commands.send(new LeaveToDesk(id, "no answer")).orThrow();
            assertThat(state(fulfil(id, "REJECTED"))).isEqualTo("REJECTED");
            assertThat(compensate(activity, id, Remedy.SUBSTITUTE)).isEqualTo(AwardState.COMPENSATED);
        }
    }

    @Nested
    @DisplayName("A parcel")
    class ParcelAward {

        private static final String ADDRESS = "{\"name\": \"Ann\", \"phone\": \"1\", \"address\": \"1 High Street\"}";

        private final TestActivity activity = open("PHYSICAL", "null");
        private final AwardRecordId id = win(activity);

        private Response claim(String address) {
            return http.post("/api/v1/award-records/" + id + "/claim", address);
        }

        @Test
        @DisplayName("A parcel gets no answer before it is claimed.")
        void notAskedYet() {
            assertThat(fulfil(id, "GRANTED").json().get("code").asString()).isEqualTo("AWARD_STATE");
            assertThat(fulfil(id, "REJECTED").json().get("code").asString()).isEqualTo("AWARD_STATE");
            claim(ADDRESS);
            assertThat(state(fulfil(id, "GRANTED"))).isEqualTo("GRANTED");
        }

        @Test
        @DisplayName("A parcel is claimed once, and its address is final.")
        void claimed() {
            assertThat(claim(ADDRESS).status()).isEqualTo(200);
            assertThat(claim(ADDRESS).status()).isEqualTo(200);
            assertThat(claim(ADDRESS.replace("1 High", "2 High"))
                            .json()
                            .get("code")
                            .asString())
                    .isEqualTo("AWARD_STATE");
            assertThat(claim("{}").status()).isEqualTo(400);
            assertThat(commands.send(new ForfeitAward(id)).orThrow()).isEqualTo(AwardState.WON);
            assertThat(eventsOf(id)).hasSize(2);
        }

        @Test
        @DisplayName("A parcel is forfeited without a claim, and another user can win the award.")
        void forfeited() {
            assertThat(commands.send(new ForfeitAward(id)).orThrow()).isEqualTo(AwardState.FORFEITED);
            assertThat(claim(ADDRESS).json().get("code").asString()).isEqualTo("AWARD_STATE");
            assertThat(state(fulfil(id, "GRANTED"))).isEqualTo("FORFEITED");
            assertThat(taken(activity)).isZero();
            assertThat(activity.draw("ann", "second")
                            .json()
                            .get("award")
                            .get("awardId")
                            .asInt())
                    .isEqualTo(2);
        }
    }

    @Test
    @DisplayName("An award that waits for an operator is released once, and other awards are not released.")
    void released() {
        TestActivity activity = open("TEXT", "{\"timing\": \"MANUAL\"}");
        AwardRecordId id = win(activity);
        assertThat(fulfil(id, "GRANTED").json().get("code").asString()).isEqualTo("AWARD_STATE");
        commands.send(new ReleaseAward(id)).orThrow();
        commands.send(new ReleaseAward(id)).orThrow();
        assertThat(eventsOf(id)).hasSize(2);
        AwardRecordId other = win(open("CODE", "null"));
        assertThat(commands.send(new ReleaseAward(other)).toString()).contains("AWARD_STATE");
    }

    @Test
    @DisplayName("An award that waits for the end of its activity has that time.")
    void activityEnd() {
        TestActivity activity = open("TEXT", "{\"timing\": \"ACTIVITY_END\"}");
        AwardWon won = (AwardWon) eventsOf(win(activity)).getFirst();
        assertThat(won.grant().timing()).isEqualTo(Timing.ACTIVITY_END);
        assertThat(won.grant().at()).isEqualTo("2119-12-31T16:00:00Z");
    }

    @Test
    @DisplayName("An award is defined with a time that fits, and with a remedy that is possible.")
    void definitions() {
        for (String wrong : List.of(
                "{\"timing\": \"SCHEDULED\"}",
                "{\"timing\": \"INSTANT\", \"at\": \"2030-01-01T00:00:00Z\"}",
                "{\"timing\": \"SCHEDULED\", \"at\": \"+99999-01-01T00:00:00Z\"}")) {
            Response refused = http.post(
                    "/api/v1/strategies", "{\"strategyId\": 799999, %s}".formatted(RULES.formatted("TEXT", wrong)));
            assertThat(refused.json().get("findings").get(0).get("pointer").asString())
                    .isEqualTo("/awards/1/grant/at");
        }
        Response chance = http.post(
                "/api/v1/strategies",
                "{\"strategyId\": 799999, %s}"
                        .formatted(RULES.formatted("TEXT", "{\"timing\": \"ACTIVITY_END\"}")
                                .replace("SUBSTITUTE", "RETURN_CHANCE")));
        assertThat(chance.json().get("findings").get(0).get("pointer").asString())
                .isEqualTo("/awards/1/onFailure");
        Response refused = http.post(
                "/api/v1/strategies",
                "{\"strategyId\": 799999, %s}"
                        .formatted(RULES.formatted("TEXT", "null").replace("\"fallback\": 1,", "")));
        assertThat(refused.json().get("findings").get(0).get("pointer").asString())
                .isEqualTo("/awards/1/onFailure");
    }
}
