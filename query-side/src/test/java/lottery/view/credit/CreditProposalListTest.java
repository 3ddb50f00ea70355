package lottery.view.credit;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import lottery.api.UserId;
import lottery.api.credit.CreditProposalEvent.CreditsConfirmed;
import lottery.api.credit.CreditProposalEvent.CreditsDeclined;
import lottery.api.credit.CreditProposalEvent.CreditsProposed;
import lottery.api.credit.CreditProposalId;
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
class CreditProposalListTest {

    private static final String NOW = "2026-03-31T04:00:00Z";
    private static final Instant IN_A_WEEK = Instant.parse("2026-04-07T04:00:00Z");

    private final MockMvcTester mvc;
    private final Script script;
    private final JdbcClient sql;
    private final StageClock clock;

    /** Each test has its own user. */
    private final UserId user = new UserId("proposed-" + UUID.randomUUID());

    @Autowired
    CreditProposalListTest(MockMvcTester mvc, Script script, JdbcClient sql, StageClock clock) {
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
        CreditProposalId booked = proposed("booked", "5000", IN_A_WEEK);
        proposed("late", "-1000.5", Instant.parse(NOW));
        CreditProposalId declined = proposed("declined", "2000", IN_A_WEEK);
        proposed("waits", "3000", IN_A_WEEK.plusSeconds(1));
        script.happens(declined, new CreditsDeclined(declined, user, "paul", "Too much"));
        script.happens(booked, new CreditsConfirmed(booked, user, 7, "fred", "paul"));

        assertThat(told(listed(null, 20)))
                .containsExactly(
                        "waits 3000 PROPOSED fred none none none",
                        "declined 2000 DECLINED fred paul Too much none",
                        "late -1000.5 EXPIRED fred none none none",
                        "booked 5000 BOOKED fred paul none 7");
        JsonNode waits = listed(null, 20).getFirst();
        assertThat(waits.path("proposalId").asString())
                .isEqualTo(CreditProposalId.of(user, "waits").text());
        assertThat(waits.path("reason").asString()).isEqualTo("Because");
        assertThat(waits.path("expiresAt").asString()).isEqualTo("2026-04-07T04:00:01Z");
        assertThat(Instant.parse(waits.path("proposedAt").asString()))
                .as("the time of the event")
                .isEqualTo(sql.sql("SELECT at FROM event WHERE aggregate_id = ?")
                        .param(CreditProposalId.of(user, "waits").text())
                        .query(OffsetDateTime.class)
                        .single()
                        .toInstant());
    }

    @ParameterizedTest
    @CsvSource({"PROPOSED,waits", "BOOKED,booked", "DECLINED,declined", "EXPIRED,late"})
    @DisplayName("The list can be narrowed down to one state.")
    void inOneState(String state, String expected) throws Exception {
        CreditProposalId booked = proposed("booked", "5000", IN_A_WEEK);
        proposed("late", "2000", Instant.parse(NOW));
        CreditProposalId declined = proposed("declined", "2000", IN_A_WEEK);
        proposed("waits", "2000", IN_A_WEEK);
        script.happens(declined, new CreditsDeclined(declined, user, null, null));
        script.happens(booked, new CreditsConfirmed(booked, user, 1, null, null));

        assertThat(listed(state, 20))
                .extracting(each -> each.path("businessNo").asString())
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
                .extracting(each -> each.path("businessNo").asString())
                .containsExactlyElementsOf(made);
    }

    @ParameterizedTest
    @ValueSource(strings = {"limit=0", "limit=101", "cursor=x", "state=WAITING"})
    @DisplayName("A malformed request is refused.")
    void malformed(String query) {
        assertThat(mvc.get().uri("/api/v1/ops/credit-proposals?" + query).exchange())
                .hasStatus(HttpStatus.BAD_REQUEST);
    }

    private CreditProposalId proposed(String number, String amount, Instant expiresAt) {
        CreditProposalId id = CreditProposalId.of(user, number);
        script.happens(id, new CreditsProposed(id, user, new BigDecimal(amount), number, "Because", "fred", expiresAt));
        return id;
    }

    /** Returns this test's proposals of all pages. */
    private List<JsonNode> listed(@Nullable String state, int limit) throws Exception {
        List<JsonNode> listed = new ArrayList<>();
        String cursor = "";
        do {
            MvcTestResult answer = mvc.get()
                    .uri("/api/v1/ops/credit-proposals?limit=" + limit + "&after="
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
                .filter(each -> each.path("userId").asString().equals(user.value()))
                .toList();
    }

    private static List<String> told(List<JsonNode> proposals) {
        return proposals.stream()
                .map(each -> String.join(
                        " ",
                        text(each, "businessNo"),
                        text(each, "amount"),
                        text(each, "state"),
                        text(each, "proposedBy"),
                        text(each, "decidedBy"),
                        text(each, "declinedBecause"),
                        text(each, "entry")))
                .toList();
    }

    private static String text(JsonNode proposal, String field) {
        String text = proposal.path(field).asString("");
        return text.isEmpty() ? "none" : text;
    }
}
