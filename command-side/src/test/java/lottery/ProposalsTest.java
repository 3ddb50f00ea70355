package lottery;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import lottery.Http.Response;
import lottery.api.UserId;
import lottery.api.award.AwardRecordId;
import lottery.api.proposal.Proposal;
import lottery.api.proposal.ProposalCommand.ProposeAction;
import lottery.api.proposal.ProposedAction;
import lottery.api.strategy.Remedy;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;

@DisplayName("What two persons have agreed on")
@SpringBootTest(classes = TestLottery.class, webEnvironment = WebEnvironment.RANDOM_PORT)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ProposalsTest {

    private static final String RULES = """
            "mode": "SINGLE", "fallback": 1, "awards": [
              {"awardId": 1, "title": "Points", "type": "TEXT", "rate": "0.0001", "sort": 1, "grant": {"timing": "MANUAL"}},
              {"awardId": 2, "title": "Weekend", "type": "CODE", "rate": "0.9999", "sort": 2, "stock": 1,
               "onFailure": "MANUAL"}]""";

    private static final String SKUS = "\"skus\": [{\"sku\": 1, \"total\": 9, \"month\": 9, \"day\": 9}]";

    private static final UserId ANN = new UserId("ann");
    private static final AtomicLong USERS = new AtomicLong();

    private final Http http;
    private final EndpointCommandSender commands;
    private final JdbcClient database;

    private ConfigurableApplicationContext otherNode;
    private Http elsewhere;

    @Autowired
    ProposalsTest(@LocalServerPort int port, EndpointCommandSender commands, JdbcClient database) {
        this.http = new Http(port);
        this.commands = commands;
        this.database = database;
    }

    @BeforeAll
    void startAnotherNode() {
        otherNode = new SpringApplicationBuilder(TestLottery.class)
                .properties("server.port=0")
                .run();
        elsewhere = new Http(otherNode.getEnvironment().getRequiredProperty("local.server.port", Integer.class));
    }

    @AfterAll
    void stopIt() {
        otherNode.close();
    }

    /** Draws, and returns the win of the weekend. One draw in ten thousand wins points instead. */
    private AwardRecordId win() {
        TestActivity activity = TestActivity.open(http, RULES, SKUS);
        activity.recharge("ann");
        return AwardRecordId.of(
                activity.draw("ann", "first").json().get("awardRecordId").asString());
    }

    private AwardRecordId rejected() {
        AwardRecordId id = win();
        http.post("/api/v1/award-records/" + id + "/fulfilments", "{\"result\": \"REJECTED\", \"reference\": \"r\"}");
        return id;
    }

    private String proposed(AwardRecordId id, Remedy remedy) {
        Proposal proposal = commands.send(new ProposeAction(ProposedAction.remedy(id, ANN, remedy), "It is sold out"))
                .orThrow();
        return proposal.proposalId().text();
    }

    private static Response agree(Http node, String proposal) {
        return node.post("/api/v1/ops/proposals/" + proposal + "/decision", "{\"decision\": \"AGREE\"}");
    }

    private static String text(Response answer, String field) {
        return answer.json().get(field).asString();
    }

    private List<String> eventsOf(String id) {
        return database.sql("SELECT type FROM event WHERE aggregate_id = ? ORDER BY sequence")
                .param(id)
                .query((row, _) -> String.valueOf(row.getString(1)))
                .list();
    }

    private long positionOf(String id, String type) {
        return database.sql("SELECT position FROM event WHERE aggregate_id = ? AND type = ?")
                .params(id, type)
                .query(Long.class)
                .single();
    }

    @ParameterizedTest
    @EnumSource(names = {"SUBSTITUTE", "RETURN_CHANCE"})
    @DisplayName("A remedy is carried out once, however many agree to it at once.")
    void remedy(Remedy remedy) throws Exception {
        AwardRecordId id = rejected();
        String proposal = proposed(id, remedy);
        List<Response> answers = TestActivity.inParallel(
                20, i -> TestActivity.insist(() -> agree(i % 2 == 0 ? http : elsewhere, proposal)));
        assertThat(answers).extracting(Response::status).containsOnly(200);
        assertThat(eventsOf(id.text())).containsExactly("award.won", "award.grant-rejected", "award.compensated");
        assertThat(eventsOf(proposal)).containsExactly("proposal.made", "proposal.agreed");
        assertThat(positionOf(proposal, "proposal.agreed") - positionOf(id.text(), "award.compensated"))
                .as("one commit, with the new win or the chance in between")
                .isBetween(1L, 2L);
    }

    @Test
    @DisplayName("Of two remedies of one award one is carried out, and the other one still waits.")
    void twoRemedies() throws Exception {
        AwardRecordId id = rejected();
        List<String> both = List.of(proposed(id, Remedy.SUBSTITUTE), proposed(id, Remedy.RETURN_CHANCE));
        List<Response> answers = TestActivity.inParallel(
                20, i -> TestActivity.insist(() -> agree(i % 3 == 0 ? http : elsewhere, both.get(i % 2))));
        assertThat(answers).extracting(Response::status).containsOnly(200, 409);
        assertThat(eventsOf(id.text())).containsOnlyOnce("award.compensated");
        assertThat(both)
                .extracting(proposal -> String.join(" ", eventsOf(proposal)))
                .containsExactlyInAnyOrder("proposal.made proposal.agreed", "proposal.made");
    }

    @Test
    @DisplayName("An award is taken from its winner, and another user can win it.")
    void voided() {
        AwardRecordId id = rejected();
        long taken = takenUnits();
        String path = "/api/v1/award-records/" + id + "/void";
        String reason = "{\"reason\": \"The chance was bought\"}";
        Response proposed = http.post(path, reason);
        assertThat(proposed.status()).as(proposed.text()).isEqualTo(202);
        assertThat(elsewhere.post(path, reason).text()).isEqualTo(proposed.text());
        assertThat(eventsOf(id.text())).doesNotContain("award.voided");

        Response agreed = agree(elsewhere, text(proposed, "proposalId"));
        assertThat(agreed.status()).as(agreed.text()).isEqualTo(200);
        assertThat(text(http.post(path, reason), "state")).isEqualTo("VOIDED");
        assertThat(eventsOf(id.text())).endsWith("award.voided");
        assertThat(takenUnits()).isEqualTo(taken - 1);
    }

    private long takenUnits() {
        return database.sql("SELECT sum(taken) FROM counter WHERE name LIKE 'award:%/2'")
                .query(Long.class)
                .single();
    }

    @Test
    @DisplayName("An award that cannot be taken any more is not proposed, and an unknown one is not found.")
    void notVoided() {
        AwardRecordId id = win();
        http.post("/api/v1/award-records/" + id + "/fulfilments", "{\"result\": \"GRANTED\", \"reference\": \"r\"}");
        String reason = "{\"reason\": \"The chance was bought\"}";
        assertThat(text(http.post("/api/v1/award-records/" + id + "/void", reason), "code"))
                .isEqualTo("AWARD_STATE");
        String unknown = "/api/v1/award-records/award:33-e5173994-fc37-8861-b836-9cad666a564f/void";
        assertThat(http.post(unknown, reason).status()).isEqualTo(404);
    }

    @Test
    @DisplayName("A person is erased, and nothing is left to erase until something is sealed again.")
    void erased() {
        String user = "erased-" + USERS.incrementAndGet();
        String path = "/api/v1/users/" + user + "/person";
        String reason = "{\"reason\": \"Request 17\"}";
        assertThat(http.delete(path, reason).status()).isEqualTo(404);
        http.post("/api/v1/users/" + user + "/ban", "{\"reason\": \"Fraud\"}");

        Response proposed = http.delete(path, reason);
        assertThat(proposed.status()).as(proposed.text()).isEqualTo(202);
        assertThat(agree(elsewhere, text(proposed, "proposalId")).status()).isEqualTo(200);
        assertThat(eventsOf(proposed.json().at("/action/subject").asString())).containsExactly("person.erased");
        assertThat(http.delete(path, reason).status()).isEqualTo(204);
    }
}
