package lottery.view.proposal;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.net.URI;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import lottery.api.UserId;
import lottery.api.credit.CreditCommand.BookCredits;
import lottery.api.proposal.ProposalEvent.ProposalAgreed;
import lottery.api.proposal.ProposalEvent.ProposalDeclined;
import lottery.api.proposal.ProposalEvent.ProposalMade;
import lottery.api.proposal.ProposalId;
import lottery.api.proposal.ProposedAction;
import lottery.stage.OnStage;
import lottery.stage.Script;
import lottery.stage.StageClock;
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

@OnStage
@DisplayName("The list of proposed bookings")
class ProposalListTest {

    private static final String NOW = "2026-03-31T04:00:00Z";
    private static final Instant IN_A_WEEK = Instant.parse("2026-04-07T04:00:00Z");

    private final MockMvcTester mvc;
    private final Script script;
    private final JdbcClient sql;
    private final StageClock clock;

    /** Each test has its own user. */
    private final UserId user = new UserId("proposed-" + UUID.randomUUID());

    @Autowired
    ProposalListTest(MockMvcTester mvc, Script script, JdbcClient sql, StageClock clock) {
        this.mvc = mvc;
        this.script = script;
        this.sql = sql;
        this.clock = clock;
    }

    @AfterEach
    void backToNow() {
        clock.set(NOW);
    }

    @Test
    @DisplayName("Each proposal is listed with what has become of it, the newest first.")
    void listed() throws Exception {
        ProposalId agreed = proposed("agreed", "5000", IN_A_WEEK);
        proposed("late", "-1000.5", Instant.parse(NOW));
        ProposalId declined = proposed("declined", "2000", IN_A_WEEK);
        ProposalId waits = proposed("waits", "3000", IN_A_WEEK.plusSeconds(1));
        script.happens(declined, new ProposalDeclined(declined, user, "paul", "Too much"));
        script.happens(agreed, new ProposalAgreed(agreed, user, "fred", "paul"));

        assertThat(told(listed(null, 20)))
                .containsExactly(
                        "waits 3000 PROPOSED fred none none",
                        "declined 2000 DECLINED fred paul Too much",
                        "late -1000.5 EXPIRED fred none none",
                        "agreed 5000 AGREED fred paul none");
        JsonNode newest = listed(null, 20).getFirst();
        assertThat(newest.path("proposalId").asString()).isEqualTo(waits.text());
        assertThat(newest.at("/action/kind").asString()).isEqualTo("BOOK_CREDITS");
        assertThat(newest.path("reason").asString()).isEqualTo("Because");
        assertThat(newest.path("expiresAt").asString()).isEqualTo("2026-04-07T04:00:01Z");
        assertThat(mvc.get().uri(URI.create("/api/v1/ops/proposals/" + waits.text())))
                .hasStatusOk()
                .bodyJson()
                .isEqualTo(newest.toString());
    }

    @Test
    @DisplayName("A proposal that was made again is listed where it was made last.")
    void madeAgain() throws Exception {
        ProposalId again = proposed("again", "5000", IN_A_WEEK);
        proposed("other", "5000", IN_A_WEEK);
        script.happens(again, new ProposalDeclined(again, user, "paul", null));
        proposed("again", "5000", IN_A_WEEK);
        assertThat(told(listed("PROPOSED", 1)))
                .containsExactly("again 5000 PROPOSED fred none none", "other 5000 PROPOSED fred none none");
    }

    @ParameterizedTest
    @CsvSource({"PROPOSED,waits", "AGREED,agreed", "DECLINED,declined", "EXPIRED,late"})
    @DisplayName("The list can be narrowed down to one state.")
    void inOneState(String state, String expected) throws Exception {
        ProposalId agreed = proposed("agreed", "5000", IN_A_WEEK);
        proposed("late", "2000", Instant.parse(NOW));
        ProposalId declined = proposed("declined", "2000", IN_A_WEEK);
        proposed("waits", "2000", IN_A_WEEK);
        script.happens(declined, new ProposalDeclined(declined, user, null, null));
        script.happens(agreed, new ProposalAgreed(agreed, user, null, null));

        assertThat(listed(state, 20))
                .extracting(each -> each.at("/action/businessNo").asString())
                .containsExactly(expected);
    }

    @Test
    @DisplayName("A proposal waits until the moment at which it expires.")
    void expires() throws Exception {
        proposed("waits", "2000", IN_A_WEEK);
        clock.set("2026-04-07T03:59:59.999Z");
        assertThat(listed("PROPOSED", 20)).hasSize(1);
        assertThat(listed("EXPIRED", 20)).isEmpty();
        clock.set("2026-04-07T04:00:00Z");
        assertThat(listed("PROPOSED", 20)).isEmpty();
        assertThat(listed("EXPIRED", 20)).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7})
    @DisplayName("Page by page, each proposal is listed once.")
    void pages(int limit) throws Exception {
        List<String> made = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            proposed("number-" + i, "2000", IN_A_WEEK);
            made.addFirst("number-" + i);
        }
        assertThat(listed("PROPOSED", limit))
                .extracting(each -> each.at("/action/businessNo").asString())
                .containsExactlyElementsOf(made);
    }

    @ParameterizedTest
    @ValueSource(strings = {"limit=0", "limit=101", "cursor=x", "state=WAITING"})
    @DisplayName("A malformed request is refused.")
    void malformed(String query) {
        assertThat(mvc.get().uri("/api/v1/ops/proposals?" + query).exchange()).hasStatus(HttpStatus.BAD_REQUEST);
    }

    private ProposalId proposed(String number, String amount, Instant expiresAt) {
        ProposedAction action = ProposedAction.booking(new BookCredits(user, new BigDecimal(amount), number, null));
        ProposalId id = action.proposalId();
        script.happens(id, new ProposalMade(id, user, action, "Because", "fred", expiresAt));
        return id;
    }

    /** Returns this test's proposals of all pages. */
    private List<JsonNode> listed(@Nullable String state, int limit) throws Exception {
        List<JsonNode> listed = new ArrayList<>();
        String cursor = "";
        do {
            MvcTestResult answer = mvc.get()
                    .uri("/api/v1/ops/proposals?limit=" + limit + "&after="
                            + sql.sql("SELECT position FROM event_head")
                                    .query(Long.class)
                                    .single()
                            + (state == null ? "" : "&state=" + state) + cursor)
                    .exchange();
            assertThat(answer).hasStatusOk();
            JsonNode page = JsonMapper.shared().readTree(answer.getResponse().getContentAsString());
            assertThat(page.path("items").size()).isLessThanOrEqualTo(limit);
            page.path("items").forEach(listed::add);
            String next = page.path("next").asString("");
            cursor = next.isEmpty() ? "" : "&cursor=" + next;
        } while (!cursor.isEmpty());
        return listed.stream()
                .filter(each -> each.at("/action/userId").asString().equals(user.value()))
                .toList();
    }

    private static List<String> told(List<JsonNode> proposals) {
        return proposals.stream()
                .map(each -> String.join(
                        " ",
                        text(each, "/action/businessNo"),
                        text(each, "/action/amount"),
                        text(each, "/state"),
                        text(each, "/proposedBy"),
                        text(each, "/decidedBy"),
                        text(each, "/declinedBecause")))
                .toList();
    }

    private static String text(JsonNode proposal, String field) {
        String text = proposal.at(field).asString("");
        return text.isEmpty() ? "none" : text;
    }
}
