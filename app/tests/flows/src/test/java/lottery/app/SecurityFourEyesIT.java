package lottery.app;

import static lottery.app.TokenLottery.MUGS;
import static lottery.app.TokenLottery.TEA;
import static lottery.app.TokenLottery.as;
import static lottery.app.TokenLottery.change;
import static lottery.app.TokenLottery.nextNumber;
import static lottery.app.TokenLottery.opened;
import static lottery.app.TokenLottery.submitted;
import static lottery.app.TokenLottery.token;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import lottery.app.LotteryProcess.Reply;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.springframework.http.HttpMethod;
import tools.jackson.databind.JsonNode;

@DisplayName("A lottery that several persons run")
@Order(2)
class SecurityFourEyesIT {

    private static final Duration SOON = Duration.ofSeconds(30);

    private static final String BICYCLE = """
            "mode": "SINGLE", "awards": [
              {"awardId": 1, "title": "A bicycle", "type": "PHYSICAL", "rate": "1", "sort": 1, "cost": "250"}]""";

    private static final String OPERA = """
            "mode": "SINGLE", "awards": [
              {"awardId": 1, "title": "Opera", "type": "TEXT", "grant": {"timing": "MANUAL"}, "rate": "1", "sort": 1}]""";

    @BeforeAll
    static void open() {
        TokenLottery.open();
    }

    @Test
    @DisplayName("books many credits by hand only for two persons, and the audit names both")
    void manyCredits() {
        String entries = "/api/v1/users/rich-%d/credits/entries".formatted(nextNumber());
        String prize = "{\"amount\": \"5000\", \"businessNo\": \"prize\"}";
        String fred = token("fred", "front", "approver");
        Reply proposed = as(fred, HttpMethod.POST, entries, prize);
        assertThat(proposed.status()).as(proposed.text()).isEqualTo(202);
        String proposal = proposed.json().path("proposalId").asString();
        String waiting = "/api/v1/ops/proposals?state=PROPOSED&limit=100";
        String paul = token("paul", "approver");
        await().atMost(SOON)
                .untilAsserted(() -> assertThat(proposalsIn(as(paul, HttpMethod.GET, waiting, null)))
                        .as("what an approver finds to decide about")
                        .contains(proposal));
        assertThat(decide("fred", proposal, "AGREE").code()).isEqualTo("FORBIDDEN");
        assertThat(as(token("dora", "desk"), HttpMethod.GET, "/api/v1/ops/proposals/" + proposal, null)
                        .json()
                        .path("state")
                        .asString())
                .isEqualTo("PROPOSED");
        Reply confirmed = decide("paul", proposal, "AGREE");
        assertThat(confirmed.status()).as(confirmed.text()).isEqualTo(200);
        await().atMost(SOON)
                .untilAsserted(() -> assertThat(proposalsIn(as(paul, HttpMethod.GET, waiting, null)))
                        .doesNotContain(proposal));
        Reply booked = as(fred, HttpMethod.POST, entries, prize);
        assertThat(booked.status()).as(booked.text()).isEqualTo(200);
        assertThat(booked.json().path("entry").asInt())
                .as("nothing was booked before")
                .isEqualTo(1);
        await().atMost(SOON)
                .untilAsserted(() -> assertThat(
                                as(token("dora", "desk"), HttpMethod.GET, "/api/v1/ops/audit?subject=" + proposal, null)
                                        .json()
                                        .path("entries"))
                        .as("each person in the role that decides")
                        .extracting(decision -> String.join(
                                " ",
                                decision.path("type").asString(),
                                decision.path("actor").asString(),
                                decision.path("role").asString()))
                        .containsExactly("proposal.agreed paul approver", "proposal.made fred front"));
    }

    private static Reply decide(String name, String proposal, String decision) {
        return as(
                token(name, "operator", "approver", "front"),
                HttpMethod.POST,
                "/api/v1/ops/proposals/" + proposal + "/decision",
                "{\"decision\": \"%s\"}".formatted(decision));
    }

    private static List<String> proposalsIn(Reply page) {
        return page.json()
                .path("items")
                .valueStream()
                .map(proposal -> proposal.path("proposalId").asString())
                .toList();
    }

    @Test
    @DisplayName("lets a rebate rule pay only when another person agrees, and lets an operator take it back")
    void rebateRule() {
        String path = "/api/v1/rebate-rules/" + nextNumber();
        String olga = token("olga", "operator", "approver");
        String rule = """
                {"behaviour": "give", "rebates": [{"kind": "CREDIT", "amount": "5"}], "state": "OPEN"}""";
        Reply proposed = as(olga, HttpMethod.PUT, path, rule);
        assertThat(proposed.status()).as(proposed.text()).isEqualTo(202);
        assertThat(as(olga, HttpMethod.GET, path, null).status()).isEqualTo(404);
        assertThat(proposed.json().path("proposedBy").asString()).isEqualTo("olga");
        String decision =
                "/api/v1/ops/proposals/" + proposed.json().path("proposalId").asString() + "/decision";
        String agree = "{\"decision\": \"AGREE\"}";
        String back = "{\"decision\": \"DECLINE\"}";
        assertThat(as(olga, HttpMethod.POST, decision, agree).code()).isEqualTo("FORBIDDEN");
        assertThat(as(token("oscar", "operator"), HttpMethod.POST, decision, agree)
                        .code())
                .isEqualTo("FORBIDDEN");
        assertThat(as(token("dora", "desk"), HttpMethod.POST, decision, back).code())
                .isEqualTo("FORBIDDEN");
        assertThat(as(token("olga", "operator"), HttpMethod.POST, decision, back)
                        .status())
                .isEqualTo(200);
        String paul = token("paul", "approver");
        assertThat(as(paul, HttpMethod.POST, decision, agree).code()).isEqualTo("PROPOSAL_STATE");
        assertThat(as(olga, HttpMethod.PUT, path, rule).status()).isEqualTo(202);
        assertThat(as(paul, HttpMethod.POST, decision, agree).status()).isEqualTo(200);
        assertThat(as(olga, HttpMethod.GET, path, null).status()).isEqualTo(200);
    }

    @Test
    @DisplayName("lets nobody pass what he has submitted, whatever roles he has, and nobody pass who only operates")
    void fourEyes() {
        int activity = submitted(MUGS);
        assertThat(change(token("olga", "operator"), activity, "pass").code()).isEqualTo("FORBIDDEN");
        assertThat(change(token("olga", "operator", "approver"), activity, "pass")
                        .code())
                .isEqualTo("FORBIDDEN");
        assertThat(change(token("paul", "approver"), activity, "close").code()).isEqualTo("FORBIDDEN");
        assertThat(change(token("paul", "approver"), activity, "pass").status()).isEqualTo(200);
    }

    @Test
    @DisplayName("draws by the version that was passed, until another person than its author adopts the next one")
    void pinnedVersion() {
        int activity = opened(TEA);
        String path = "/api/v1/activities/" + activity;
        String front = token("shop", "front");
        as(front, HttpMethod.POST, path + "/accounts/ann/recharges", """
                {"sku": 1, "outBusinessNo": "pinned-%d"}""".formatted(activity));
        assertThat(drawnTitle(front, path)).isEqualTo("Tea");

        Reply revised = as(
                token("olga", "operator"),
                HttpMethod.PUT,
                "/api/v1/strategies/" + activity,
                "{%s}".formatted(TEA.replace("Tea", "Nothing much")),
                "If-Match",
                "\"1\"");
        assertThat(revised.status()).as(revised.text()).isEqualTo(200);
        assertThat(drawnTitle(front, path)).isEqualTo("Tea");
        assertThat(as(front, HttpMethod.GET, path + "/odds", null)
                        .json()
                        .path("strategyVersion")
                        .asInt())
                .isEqualTo(1);
        await().atMost(SOON).untilAsserted(() -> assertThat(shown(front, path)).isEqualTo("Tea"));
        JsonNode shown = as(front, HttpMethod.GET, path, null).json();
        assertThat(shown.path("strategyVersion").asInt()).isEqualTo(1);
        assertThat(shown.path("strategyHash").asString()).hasSize(64);
        await().atMost(SOON)
                .untilAsserted(() -> assertThat(committed(front, path)).hasSize(1));
        JsonNode noted = committed(front, path).path(0);
        assertThat(noted.path("strategyHash")).isEqualTo(shown.path("strategyHash"));
        assertThat(noted.path("roundCommitment").asString()).hasSize(64);

        String adoption = "{\"action\": \"adopt\", \"strategyVersion\": 2}";
        String author = token("olga", "operator", "approver");
        assertThat(as(author, HttpMethod.POST, path + "/transitions", adoption).code())
                .isEqualTo("FORBIDDEN");
        Reply adopted = as(token("paul", "approver"), HttpMethod.POST, path + "/transitions", adoption);
        assertThat(adopted.status()).as(adopted.text()).isEqualTo(200);
        assertThat(drawnTitle(front, path)).isEqualTo("Nothing much");
        await().atMost(SOON).untilAsserted(() -> assertThat(shown(front, path)).isEqualTo("Nothing much"));

        await().atMost(SOON)
                .untilAsserted(() -> assertThat(committed(front, path)).hasSize(2));
        assertThat(committed(front, path).path(0)).isEqualTo(noted);
        assertThat(committed(front, path).path(1).path("strategyVersion").asInt())
                .isEqualTo(2);
        assertThat(committed(front, path).path(1).path("roundCommitment").asString())
                .hasSize(64);

        Reply verified = as(token("alan", "auditor"), HttpMethod.POST, path + "/verifications", null);
        assertThat(verified.json().path("draws").asInt()).as(verified.text()).isEqualTo(3);
        assertThat(verified.json().path("agreed").asInt()).as(verified.text()).isEqualTo(3);
    }

    /** Returns the versions that the first round of an activity has committed to. */
    private static JsonNode committed(String token, String path) {
        return as(token, HttpMethod.GET, path, null).json().at("/rounds/0/strategies");
    }

    private static String drawnTitle(String front, String activity) {
        Reply drawn = as(front, HttpMethod.POST, activity + "/accounts/ann/draws", null);
        assertThat(drawn.status()).as(drawn.text()).isEqualTo(201);
        return drawn.json().path("award").path("title").asString();
    }

    private static String shown(String front, String activity) {
        return as(front, HttpMethod.GET, activity + "/awards?userId=ann", null)
                .json()
                .path(0)
                .path("title")
                .asString();
    }

    @Test
    @DisplayName("shows an auditor who has decided what about an activity, the newest first, page by page")
    void audit() {
        int activity = submitted(TEA);
        change(token("paul", "approver"), activity, "pass");
        String auditor = token("alan", "auditor");
        String trail = "/api/v1/ops/audit?subject=activity:" + activity;
        await().atMost(SOON)
                .untilAsserted(() -> assertThat(decisionsIn(as(auditor, HttpMethod.GET, trail, null)))
                        .containsExactly("paul activity.passed", "olga activity.submitted", "olga activity.created"));

        Reply first = as(auditor, HttpMethod.GET, trail + "&limit=2", null);
        assertThat(decisionsIn(first)).containsExactly("paul activity.passed", "olga activity.submitted");
        String next = first.json().path("next").asString();
        assertThat(decisionsIn(as(auditor, HttpMethod.GET, trail + "&limit=2&cursor=" + next, null)))
                .containsExactly("olga activity.created");
        assertThat(decisionsIn(as(auditor, HttpMethod.GET, trail + "&actor=paul", null)))
                .containsExactly("paul activity.passed");
        assertThat(as(auditor, HttpMethod.GET, trail + "&cursor=x", null).status())
                .isEqualTo(400);
    }

    private static List<String> decisionsIn(Reply page) {
        return page.json()
                .path("entries")
                .valueStream()
                .map(entry -> entry.path("actor").asString() + " "
                        + entry.path("type").asString())
                .toList();
    }

    @Test
    @DisplayName("names the person and the request of a decision at the desk")
    void decisions() {
        int activity = opened(OPERA);
        String account = "/api/v1/activities/%d/accounts/ann".formatted(activity);
        as(token("shop", "front"), HttpMethod.POST, account + "/recharges", """
                {"sku": 1, "outBusinessNo": "desk-%d"}""".formatted(activity));
        String record = as(token("ann", "player"), HttpMethod.POST, account + "/draws", null)
                .json()
                .path("awardRecordId")
                .asString();
        String desk = token("dora", "desk");
        Reply released = as(desk, HttpMethod.POST, "/api/v1/ops/award-records/" + record + "/release", null);
        assertThat(released.status()).as(released.text()).isEqualTo(200);
        JsonNode decision = as(token("alan", "auditor"), HttpMethod.GET, "/api/v1/ops/decisions?limit=1", null)
                .json()
                .path("decisions")
                .path(0);
        assertThat(decision.path("subject").asString()).contains(record);
        assertThat(decision.path("actor").asString()).isEqualTo("dora");
        assertThat(decision.path("traceId").asString()).hasSize(32);
    }

    @Test
    @DisplayName("lets two of the desk compensate a dear award, and never one of them alone")
    void dearRemedy() {
        int activity = opened(BICYCLE);
        String account = "/api/v1/activities/%d/accounts/ann".formatted(activity);
        as(token("shop", "front"), HttpMethod.POST, account + "/recharges", """
                {"sku": 1, "outBusinessNo": "dear-%d"}""".formatted(activity));
        String ann = token("ann", "player");
        String record = as(ann, HttpMethod.POST, account + "/draws", null)
                .json()
                .path("awardRecordId")
                .asString();
        String award = "/api/v1/award-records/" + record;
        as(ann, HttpMethod.POST, award + "/claim", """
                {"name": "Ann", "phone": "1", "address": "1 High Street"}""");
        String dora = token("dora", "desk");
        as(dora, HttpMethod.POST, award + "/fulfilments", """
                {"result": "REJECTED", "reference": "r", "reason": "Broken"}""");
        String path = "/api/v1/ops/award-records/" + record + "/remedy";
        String remedy = "{\"remedy\": \"RETURN_CHANCE\", \"reason\": \"It is sold out\"}";
        Reply proposed = as(dora, HttpMethod.POST, path, remedy);
        assertThat(proposed.status()).as(proposed.text()).isEqualTo(202);
        assertThat(proposed.json().path("proposedBy").asString()).isEqualTo("dora");
        String otto = token("otto", "desk");
        assertThat(as(otto, HttpMethod.POST, path, remedy).text())
                .as("he has not agreed to anything")
                .isEqualTo(proposed.text());
        String decision =
                "/api/v1/ops/proposals/" + proposed.json().path("proposalId").asString() + "/decision";
        String agree = "{\"decision\": \"AGREE\"}";
        assertThat(as(dora, HttpMethod.POST, decision, agree).code()).isEqualTo("FORBIDDEN");
        assertThat(as(token("paul", "approver"), HttpMethod.POST, decision, agree)
                        .code())
                .isEqualTo("FORBIDDEN");
        // A saga leaves it to the desk meanwhile.
        assertThat(as(ann, HttpMethod.GET, award, null).json().path("state").asString())
                .isIn("REJECTED", "ON_DESK");
        Reply agreed = as(otto, HttpMethod.POST, decision, agree);
        assertThat(agreed.status()).as(agreed.text()).isEqualTo(200);
        assertThat(StoredFacts.eventsOfRecord(record)).contains("award.compensated");
    }

    @Test
    @DisplayName("lets two of the desk take an award from its winner, and leaves it if it was granted meanwhile")
    void voided() {
        int activity = opened(OPERA);
        String dora = token("dora", "desk");
        String otto = token("otto", "desk");
        String agree = "{\"decision\": \"AGREE\"}";
        List<String> decisions = new ArrayList<>();
        for (String user : List.of("ann", "bob")) {
            String account = "/api/v1/activities/%d/accounts/%s".formatted(activity, user);
            as(token("shop", "front"), HttpMethod.POST, account + "/recharges", """
                {"sku": 1, "outBusinessNo": "void-%d"}""".formatted(activity));
            String record = as(token(user, "player"), HttpMethod.POST, account + "/draws", null)
                    .json()
                    .path("awardRecordId")
                    .asString();
            Reply proposed = as(dora, HttpMethod.POST, "/api/v1/award-records/" + record + "/void", """
                {"reason": "The chance was bought"}""");
            assertThat(proposed.status()).as(proposed.text()).isEqualTo(202);
            decisions.add("/api/v1/ops/proposals/"
                    + proposed.json().path("proposalId").asString() + "/decision");
            if (user.equals("bob")) {
                as(dora, HttpMethod.POST, "/api/v1/ops/award-records/" + record + "/release", null);
                await().atMost(SOON)
                        .until(() -> StoredFacts.eventsOfRecord(record).contains("award.granted"));
            }
        }
        assertThat(as(dora, HttpMethod.POST, decisions.getFirst(), agree).code())
                .isEqualTo("FORBIDDEN");
        assertThat(as(otto, HttpMethod.POST, decisions.getFirst(), agree).status())
                .isEqualTo(200);
        assertThat(as(otto, HttpMethod.POST, decisions.getLast(), agree).code()).isEqualTo("AWARD_STATE");
    }
}
