package lottery.view.wins;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import lottery.api.UserId;
import lottery.api.account.AccountId;
import lottery.api.activity.ActivityId;
import lottery.api.award.AwardEvent.AwardClaimed;
import lottery.api.award.AwardEvent.AwardDispatchFailed;
import lottery.api.award.AwardEvent.AwardDispatched;
import lottery.api.award.AwardEvent.AwardGrantRejected;
import lottery.api.award.AwardEvent.AwardGranted;
import lottery.api.award.AwardEvent.AwardLeftToDesk;
import lottery.api.award.AwardEvent.AwardReleased;
import lottery.api.award.AwardRecordId;
import lottery.api.award.AwardState;
import lottery.api.award.Win;
import lottery.api.award.Wins;
import lottery.api.raffle.RaffleRequestIdentity;
import lottery.api.strategy.GrantTime;
import lottery.stage.OnStage;
import lottery.stage.Script;
import lottery.view.wins.WinReader.FindWin;
import lottery.view.wins.WinReader.FindWins;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.http.HttpStatus;
import org.springframework.test.web.servlet.assertj.MockMvcTester;

@OnStage
@DisplayName("The wins of a user over REST")
class WinsEndpointTest {

    private static final Duration SOON = Duration.ofSeconds(15);
    private static final UserId ANN = new UserId("ann");

    private final MockMvcTester mvc;
    private final Script script;
    private final WinReader wins;

    @Autowired
    WinsEndpointTest(MockMvcTester mvc, Script script, WinReader wins) {
        this.mvc = mvc;
        this.script = script;
        this.wins = wins;
    }

    @Test
    @DisplayName("A win has its state and its history.")
    void history() {
        ActivityId activity = script.activity();
        AwardRecordId id = script.won(activity, ANN, "Umbrella", "2026-03-31T04:00:00.5Z");
        script.happens(id, new AwardDispatchFailed(id, ANN, 1, "too large"));
        script.happens(id, new AwardDispatched(id, ANN));
        script.happens(id, new AwardGrantRejected(id, ANN, "f-1", "gone"));
        script.happens(id, new AwardLeftToDesk(id, ANN, "gone"));
        await().atMost(SOON).untilAsserted(() -> assertThat(find(id).history()).hasSize(5));

        Win win = find(id);

        assertThat(win.state()).isEqualTo(AwardState.ON_DESK);
        assertThat(win.award().title()).isEqualTo("Umbrella");
        assertThat(win.wonAt()).isEqualTo(Instant.parse("2026-03-31T04:00:00.5Z"));
        assertThat(win.history())
                .extracting(Win.WinStep::state)
                .containsExactly(
                        AwardState.WON,
                        AwardState.DISPATCH_FAILED,
                        AwardState.DISPATCHED,
                        AwardState.REJECTED,
                        AwardState.ON_DESK);
        assertThat(win.history().getFirst().at()).isEqualTo(win.wonAt());
        assertThat(win.history().getLast().at()).isBetween(Instant.now().minusSeconds(60), Instant.now());
    }

    @Test
    @DisplayName("A win that needs no fulfilment is granted from the first moment on.")
    void grantedWithTheWin() {
        AwardRecordId id = script.wonAndGranted(script.activity(), ANN, "Coffee", "2026-03-31T04:00:00Z");
        await().atMost(SOON).untilAsserted(() -> assertThat(find(id).state()).isEqualTo(AwardState.GRANTED));

        assertThat(find(id).history())
                .containsExactly(
                        new Win.WinStep(AwardState.WON, Instant.parse("2026-03-31T04:00:00Z")),
                        new Win.WinStep(AwardState.GRANTED, Instant.parse("2026-03-31T04:00:00Z")));
    }

    @Test
    @DisplayName("A release and an address are no steps, and later steps follow.")
    void claimed() {
        ActivityId activity = script.activity();
        GrantTime grant = new GrantTime(GrantTime.Timing.MANUAL, null);
        AwardRecordId id = script.won(activity, ANN, "Bicycle", "2026-03-31T04:00:00Z", grant);
        script.happens(id, new AwardReleased(id, ANN));
        script.happens(id, new AwardClaimed(id, ANN, "key:sealed"));
        script.happens(id, new AwardDispatched(id, ANN));
        await().atMost(SOON).untilAsserted(() -> assertThat(find(id).state()).isEqualTo(AwardState.DISPATCHED));

        assertThat(find(id).history())
                .extracting(Win.WinStep::state)
                .containsExactly(AwardState.WON, AwardState.DISPATCHED);
        assertThat(List.of(body("/api/v1/award-records/" + id), body(list(activity))))
                .allSatisfy(shown -> assertThat(shown).contains("Bicycle").doesNotContain("sealed"));
    }

    @Test
    @DisplayName("Times are rounded to microseconds, a half upwards, as everywhere else.")
    void halves() {
        AwardRecordId id = script.won(script.activity(), ANN, "Coffee", "2026-03-31T04:00:00.0000005Z");
        await().atMost(SOON)
                .untilAsserted(
                        () -> assertThat(find(id).wonAt()).isEqualTo(Instant.parse("2026-03-31T04:00:00.000001Z")));
    }

    @Test
    @DisplayName("A substitute names the win that it replaces, which is shown as compensated.")
    void insteadOf() {
        ActivityId activity = script.activity();
        AwardRecordId lost = script.won(activity, ANN, "Umbrella", "2026-03-31T04:00:00Z");
        script.happens(lost, new AwardGrantRejected(lost, ANN, "f-1", "gone"));
        AwardRecordId found = script.wonInsteadOf(lost, activity, ANN, "Coffee", "2026-03-31T05:00:00Z");
        await().atMost(SOON).untilAsserted(() -> assertThat(find(lost).state()).isEqualTo(AwardState.COMPENSATED));

        assertThat(page(activity, null, 100).items())
                .extracting(Win::awardRecordId, Win::state, Win::insteadOf)
                .containsExactly(tuple(found, AwardState.WON, lost), tuple(lost, AwardState.COMPENSATED, null));
        assertThat(mvc.get().uri("/api/v1/award-records/{id}", found).exchange())
                .bodyJson()
                .extractingPath("insteadOf")
                .isEqualTo(lost.text());
    }

    @Test
    @DisplayName("A win has the time at which it is handed over, if there is one.")
    void grantAt() {
        ActivityId activity = script.activity();
        GrantTime grant = new GrantTime(GrantTime.Timing.SCHEDULED, Instant.parse("2026-12-24T17:00:00.123456Z"));
        AwardRecordId id = script.won(activity, ANN, "Umbrella", "2026-03-31T04:00:00Z", grant);

        await().atMost(SOON)
                .untilAsserted(() -> assertThat(
                                mvc.get().uri("/api/v1/award-records/{id}", id).exchange())
                        .bodyJson()
                        .extractingPath("grantAt")
                        .isEqualTo("2026-12-24T17:00:00.123456Z"));
        assertThat(page(activity, null, 1).items()).extracting(Win::grantAt).containsExactly(grant.at());
    }

    @Test
    @DisplayName("The wins are the same when every event is delivered again.")
    void replay() {
        ActivityId activity = script.activity();
        AwardRecordId id = script.won(activity, ANN, "Umbrella", "2026-03-31T04:00:00Z");
        script.happens(id, new AwardDispatched(id, ANN));
        script.happens(id, new AwardLeftToDesk(id, ANN, "no answer"));
        script.happens(id, new AwardGranted(id, ANN, "f-1"));
        await().atMost(SOON).untilAsserted(() -> assertThat(find(id).history()).hasSize(4));
        Win once = find(id);

        script.replay("wins");

        assertThat(find(id)).isEqualTo(once);
    }

    @Test
    @DisplayName("Wins come page by page, newest first, each once, also if many have the same time.")
    void pages() {
        ActivityId activity = script.activity();
        List<AwardRecordId> newestFirst = new ArrayList<>();
        newestFirst.add(script.won(activity, ANN, "A", "2026-03-31T04:00:00.000002Z"));
        List<AwardRecordId> atOnce = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            atOnce.add(script.won(activity, ANN, "B" + i, "2026-03-31T04:00:00.000001Z"));
        }
        atOnce.stream().sorted((a, b) -> b.text().compareTo(a.text())).forEach(newestFirst::add);
        newestFirst.add(script.won(activity, ANN, "C", "2026-03-30T04:00:00Z"));
        script.won(activity, new UserId("bob"), "another user's", "2026-03-31T04:00:00Z");
        script.won(script.activity(), ANN, "another activity's", "2026-03-31T04:00:00Z");
        await().atMost(SOON)
                .untilAsserted(
                        () -> assertThat(page(activity, null, 100).items()).hasSize(7));

        List<AwardRecordId> read = new ArrayList<>();
        @Nullable String cursor = null;
        do {
            Wins page = page(activity, cursor, 2);
            assertThat(page.items()).hasSizeBetween(1, 2);
            page.items().forEach(win -> read.add(win.awardRecordId()));
            cursor = page.next();
        } while (cursor != null && read.size() < 20);

        assertThat(read).isEqualTo(newestFirst);
    }

    @Test
    @DisplayName("A win is shown with all fields of the contract.")
    void contract() {
        ActivityId activity = script.activity();
        AwardRecordId id = script.won(activity, ANN, "Umbrella", "2026-03-31T04:00:00Z");
        String json = """
                {"awardRecordId": "%s", "activityId": %d, "userId": "ann",
                 "award": {"awardId": 7, "title": "Umbrella", "type": "TEXT", "sort": 1, "amount": null},
                 "state": "WON", "wonAt": "2026-03-31T04:00:00Z", "grantAt": null, "insteadOf": null, "text": null,
                 "history": [{"state": "WON", "at": "2026-03-31T04:00:00Z"}]}""".formatted(id.text(), activity.value());

        await().atMost(SOON)
                .untilAsserted(() -> assertThat(
                                mvc.get().uri("/api/v1/award-records/{id}", id).exchange())
                        .bodyJson()
                        .isStrictlyEqualTo(json));
        assertThat(mvc.get().uri(list(activity)).exchange())
                .bodyJson()
                .isStrictlyEqualTo("{\"items\": [" + json + "], \"next\": null}");
    }

    @Test
    @DisplayName("A granted TEXT award is shown with its text. One that is not granted yet and a list have none.")
    void text() {
        ActivityId activity = script.activity();
        AwardRecordId granted = script.wonAndGranted(activity, ANN, "Coffee", "2026-03-31T04:00:00Z");
        AwardRecordId waiting = script.won(activity, ANN, "Umbrella", "2026-03-31T05:00:00Z");
        await().atMost(SOON)
                .untilAsserted(
                        () -> assertThat(page(activity, null, 10).items()).hasSize(2));

        assertThat(find(granted).text()).isEqualTo("Show this for: Coffee");
        assertThat(find(waiting).text()).isNull();
        assertThat(page(activity, null, 10).items()).extracting(Win::text).containsOnlyNulls();
    }

    @ParameterizedTest
    @ValueSource(strings = {"limit=0", "limit=101", "limit=-1", "cursor=%25%25", "cursor=MQ", "cursor="})
    @DisplayName("A malformed request is refused.")
    void malformed(String parameter) {
        assertThat(mvc.get().uri(list(new ActivityId(1)) + "?" + parameter).exchange())
                .hasStatus(HttpStatus.BAD_REQUEST)
                .bodyJson()
                .isLenientlyEqualTo("{'why': 'INVALID', 'subject': '" + parameter.replaceAll("=.*", "") + "'}");
    }

    @Test
    @DisplayName("A win that does not exist is not found.")
    void unknown() {
        AwardRecordId id = AwardRecordId.of(RaffleRequestIdentity.of(new AccountId(new ActivityId(1), ANN), "never")
                .id());

        assertThat(mvc.get().uri("/api/v1/award-records/{id}", id).exchange())
                .hasStatus(HttpStatus.NOT_FOUND)
                .bodyJson()
                .isLenientlyEqualTo("{'why': 'NOT_FOUND', 'subject': '" + id + "'}");
    }

    private Win find(AwardRecordId id) {
        return wins.answer(new FindWin(id)).orElseThrow(() -> new AssertionError("no " + id));
    }

    private Wins page(ActivityId activity, @Nullable String cursor, int limit) {
        return wins.answer(new FindWins(activity, ANN, cursor, limit));
    }

    private String body(String uri) {
        return new String(mvc.get().uri(uri).exchange().getResponse().getContentAsByteArray(), StandardCharsets.UTF_8);
    }

    private static String list(ActivityId activity) {
        return "/api/v1/activities/" + activity.value() + "/accounts/ann/awards";
    }
}
