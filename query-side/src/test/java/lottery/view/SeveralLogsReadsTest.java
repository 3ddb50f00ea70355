package lottery.view;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import lottery.api.UserId;
import lottery.api.account.AccountId;
import lottery.api.activity.ActivityId;
import lottery.api.credit.CreditCommand.BookCredits;
import lottery.api.proposal.ProposalEvent.ProposalMade;
import lottery.api.proposal.ProposalId;
import lottery.api.proposal.ProposedAction;
import lottery.api.raffle.Outcome;
import lottery.api.raffle.RaffleOrderId;
import lottery.api.strategy.StrategyDefinition;
import lottery.api.strategy.StrategyDefinition.Mode;
import lottery.api.strategy.StrategyEvent.StrategyDefined;
import lottery.api.strategy.StrategyId;
import lottery.stage.OnSeveralLogs;
import lottery.stage.PatientReader;
import lottery.stage.Script;
import lottery.store.log.Log;
import lottery.store.log.Logs;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.test.web.servlet.assertj.MvcTestResult;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@OnSeveralLogs
@DisplayName("With three logs")
class SeveralLogsReadsTest {

    private static final int USERS = 9;
    private static final Duration SOON = Duration.ofSeconds(30);
    private static final AtomicLong IDS = new AtomicLong(970_000);

    private final MockMvcTester mvc;
    private final Script script;
    private final Logs logs;
    private final String run = UUID.randomUUID().toString();

    @Autowired
    SeveralLogsReadsTest(MockMvcTester mvc, Script script, Logs logs) {
        this.mvc = mvc;
        this.script = script;
        this.logs = logs;
    }

    private List<UserId> users() {
        return IntStream.range(0, USERS)
                .mapToObj(user -> new UserId("user-" + user + "-" + run))
                .toList();
    }

    private ActivityId activity() {
        StrategyId strategy = new StrategyId(IDS.incrementAndGet());
        ActivityId activity = new ActivityId(strategy.value());
        script.created(activity, strategy);
        script.happens(
                strategy,
                new StrategyDefined(
                        strategy,
                        1,
                        StrategyDefinition.of(
                                Mode.SINGLE, List.of(Script.award(101, 1, 0), Script.award(102, 2, 2)), null)));
        return activity;
    }

    private JsonNode read(String uri) {
        MvcTestResult answer = PatientReader.read(mvc, uri);
        assertThat(answer).hasStatusOk();
        return JsonMapper.shared().readTree(answer.getResponse().getContentAsByteArray());
    }

    @Test
    @DisplayName("users are in all of them, and the figures of an activity count every user once")
    void figures() {
        ActivityId activity = activity();
        for (UserId user : users()) {
            AccountId account = new AccountId(activity, user);
            RaffleOrderId order = script.spent(account, "2026-03-31");
            script.drawn(order, account, new StrategyId(activity.value()), 1, Outcome.NOTHING, null);
        }
        assertThat(users().stream()
                        .map(user -> logs.of(new AccountId(activity, user).text()))
                        .map(Log::number)
                        .collect(toSet()))
                .containsExactlyInAnyOrder(0, 1, 2);
        await().atMost(SOON).untilAsserted(() -> {
            JsonNode total = read("/api/v1/activities/" + activity.value() + "/figures?from=2026-03-31&to=2026-03-31")
                    .path("total");
            assertThat(total.path("draws").asInt()).isEqualTo(USERS);
            assertThat(total.path("players").asInt()).isEqualTo(USERS);
        });
    }

    @Test
    @DisplayName("the wheel of a user has awards of the home log, and the draws of the user's log")
    void wheel() {
        ActivityId activity = activity();
        for (UserId user : users()) {
            script.spent(new AccountId(activity, user), "2026-03-31");
            script.spent(new AccountId(activity, user), "2026-03-31");
        }
        for (UserId user : users()) {
            await().atMost(SOON).untilAsserted(() -> {
                JsonNode wheel = read("/api/v1/activities/" + activity.value() + "/awards?userId=" + user.value());
                assertThat(wheel).hasSize(2);
                assertThat(wheel.get(1).path("unlocked").asBoolean())
                        .as(
                                "the award that two draws unlock, for %s in %s",
                                user, logs.of(new AccountId(activity, user).text()))
                        .isTrue();
            });
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4, 20})
    @DisplayName("a list over all of them has each item once, the newest first, page by page")
    void pages(int limit) {
        List<String> made = new ArrayList<>();
        for (UserId user : users()) {
            ProposedAction action =
                    ProposedAction.booking(new BookCredits(user, new BigDecimal("5000"), "n-" + limit, null));
            ProposalId id = action.proposalId();
            script.happens(
                    id, new ProposalMade(id, user, action, "Because", "fred", Instant.parse("2126-04-07T04:00:00Z")));
            made.addFirst(id.text());
        }
        await().atMost(SOON).untilAsserted(() -> assertThat(listed(limit)).containsSubsequence(made));
        List<String> listed = listed(limit);
        assertThat(listed).doesNotHaveDuplicates();
    }

    private List<String> listed(int limit) {
        List<String> listed = new ArrayList<>();
        String cursor = "";
        do {
            JsonNode page = read("/api/v1/ops/proposals?limit=" + limit + cursor);
            assertThat(page.path("items").size()).isLessThanOrEqualTo(limit);
            page.path("items")
                    .forEach(item -> listed.add(item.path("proposalId").asString()));
            cursor = page.path("next").isNull() || page.path("next").isMissingNode()
                    ? ""
                    : "&cursor=" + page.path("next").asString();
        } while (!cursor.isEmpty());
        return listed;
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "MTc", "MS4yLjM", "MS4yLjMuNA"})
    @DisplayName("a cursor has a position for each log")
    void cursors(String cursor) {
        boolean isOurs = cursor.equals("MS4yLjM"); // 1.2.3
        assertThat(mvc.get().uri("/api/v1/ops/proposals?cursor=" + cursor).exchange())
                .hasStatus(isOurs ? 200 : 400);
    }

    @Test
    @DisplayName("a cursor with thousands of positions is refused")
    void longCursor() {
        String positions = "1" + ".1".repeat(20_000);
        String cursor = Base64.getUrlEncoder().withoutPadding().encodeToString(positions.getBytes(US_ASCII));
        assertThat(mvc.get().uri("/api/v1/ops/proposals?cursor=" + cursor).exchange())
                .hasStatus(400);
    }
}
