package lottery;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import lottery.Http.Response;
import lottery.api.Answer;
import lottery.api.activity.ActivityCommand.PublishSeed;
import lottery.api.activity.ActivityId;
import lottery.api.activity.ActivityState;
import lottery.fairness.Seed;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import tools.jackson.databind.JsonNode;

@DisplayName("Activities over REST")
@SpringBootTest(classes = TestLottery.class, webEnvironment = WebEnvironment.RANDOM_PORT)
class ActivitiesTest {

    private static final AtomicLong IDS = new AtomicLong(600_000);

    private final Http http;
    private final EndpointCommandSender commands;
    private final EventStore events;

    private long id;

    @Autowired
    ActivitiesTest(@LocalServerPort int port, EndpointCommandSender commands, EventStore events) {
        this.http = new Http(port);
        this.commands = commands;
        this.events = events;
    }

    @BeforeEach
    void aDraft() {
        id = IDS.incrementAndGet();
        assertThat(http.post("/api/v1/strategies", """
                {"strategyId": %d, "mode": "SINGLE", "awards": [
                  {"awardId": 1, "title": "Coffee", "type": "TEXT", "config": {"text": "x"}, "rate": "0.2500", "sort": 1},
                  {"awardId": 2, "title": "Island", "type": "TEXT", "config": {"text": "x"}, "rate": "0.0000001", "sort": 2}]}
                """.formatted(id)).status()).isEqualTo(201);
        assertThat(http.post("/api/v1/activities", definition("\"activityId\": " + id + ",", "Spring", "2120"))
                        .status())
                .isEqualTo(201);
    }

    @Test
    @DisplayName("A draft is edited, with its id in the body or without; any other edit is refused.")
    void edits() {
        Response edited = http.put(path(), definition("", "Summer", "2120"));
        assertThat(edited.status()).as(edited.text()).isEqualTo(200);
        assertThat(edited.text()).isEqualTo("{\"activityId\":%d,\"state\":\"EDIT\"}".formatted(id));
        assertThat(http.put(path(), definition("\"activityId\": " + id + ",", "Summer", "2120"))
                        .status())
                .isEqualTo(200);
        assertThat(events.lastSequenceNumberFor("activity:" + id)).contains(1L);

        Response another = http.put(path(), definition("\"activityId\": 1,", "Summer", "2120"));
        assertThat(another.status()).isEqualTo(400);
        assertThat(another.json().get("findings").get(0).get("pointer").asString())
                .isEqualTo("/activityId");
        Response backwards = http.put(path(), definition("", "Summer", "1999"));
        assertThat(backwards.status()).isEqualTo(400);
        assertThat(backwards.json().get("findings").get(0).get("pointer").asString())
                .isEqualTo("/endsAt");
        assertThat(http.put("/api/v1/activities/999999999", definition("", "Summer", "2120"))
                        .status())
                .isEqualTo(404);

        transition("submit");
        Response late = http.put(path(), definition("", "Winter", "2120"));
        assertThat(late.status()).isEqualTo(409);
        assertThat(late.json().get("code").asString()).isEqualTo("ACTIVITY_STATE");
    }

    @Test
    @DisplayName("An activity is not created without an id.")
    void withoutId() {
        Response response = http.post("/api/v1/activities", definition("", "Spring", "2120"));
        assertThat(response.status()).isEqualTo(400);
        assertThat(response.json().get("findings").get(0).get("pointer").asString())
                .isEqualTo("/activityId");
    }

    @Test
    @DisplayName("An activity whose end has passed is not submitted, and the answer names all flaws at once.")
    void over() {
        long old = IDS.incrementAndGet();
        String definition = definition("\"activityId\": " + old + ",", "Spring", "2021")
                .replace("\"strategyId\": " + id, "\"strategyId\": 999999999");
        assertThat(http.post("/api/v1/activities", definition).status()).isEqualTo(201);
        Response response = http.post("/api/v1/activities/" + old + "/transitions", "{\"action\": \"submit\"}");
        assertThat(response.status()).isEqualTo(409);
        assertThat(response.json().get("code").asString()).isEqualTo("STRATEGY_INVALID");
        assertThat(response.json()
                        .get("findings")
                        .valueStream()
                        .map(finding -> finding.get("pointer").asString()))
                .containsExactly("/endsAt", "/strategyId");
    }

    @Test
    @DisplayName("An activity shows its exact odds, and for each round the commitment and, once it is over, the seed.")
    void odds() {
        assertThat(published().toString()).isEqualTo("""
                {"activityId":%d,"state":"EDIT","strategyId":%d,"strategyVersion":1,"mode":"SINGLE",\
                "awards":[{"awardId":1,"title":"Coffee","type":"TEXT","rate":"0.25"},\
                {"awardId":2,"title":"Island","type":"TEXT","rate":"0.0000001"}],\
                "nothing":"0.7499999","rounds":[]}""".formatted(id, id));
        List.of("submit", "pass", "start").forEach(this::transition);
        JsonNode running = published().get("rounds").get(0);
        assertThat(running.get("round").asInt()).isEqualTo(1);
        assertThat(running.get("commitment").asString()).matches("[0-9a-f]{64}");
        assertThat(running.has("seed")).isFalse();
        assertThat(commands.send(new PublishSeed(new ActivityId(id), 1))).isInstanceOf(Answer.No.class);

        List.of("close", "open", "start").forEach(this::transition);
        assertThat(commands.send(new PublishSeed(new ActivityId(id), 1))).isEqualTo(Answer.done(ActivityState.DOING));
        transition("close");
        JsonNode rounds = published().get("rounds");
        assertThat(Seed.of(rounds.get(0).get("seed").asString()).commitment())
                .isEqualTo(running.get("commitment").asString());
        assertThat(rounds.get(1).get("commitment").asString())
                .isNotEqualTo(running.get("commitment").asString());
        assertThat(rounds.get(1).has("seed")).isFalse();
    }

    @Test
    @DisplayName("There are no odds of an activity that does not exist.")
    void noOdds() {
        assertThat(http.get("/api/v1/activities/999999999/odds").status()).isEqualTo(404);
    }

    private JsonNode published() {
        return http.get(path() + "/odds").json();
    }

    private void transition(String action) {
        Response response = http.post(path() + "/transitions", "{\"action\": \"%s\"}".formatted(action));
        assertThat(response.status()).as(response.text()).isEqualTo(200);
    }

    private String path() {
        return "/api/v1/activities/" + id;
    }

    private String definition(String activityId, String name, String endYear) {
        return """
                {%s "name": "%s", "beginsAt": "2020-01-01T00:00:00+08:00", "endsAt": "%s-01-01T00:00:00+08:00",
                 "strategyId": %d, "skus": [{"sku": 1, "total": 10, "month": 5, "day": 2}]}
                """.formatted(activityId, name, endYear, id);
    }
}
