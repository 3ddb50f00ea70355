package lottery.view.activity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import lottery.api.activity.ActivityDefinition;
import lottery.api.activity.ActivityEvent.ActivityClosed;
import lottery.api.activity.ActivityEvent.ActivityCreated;
import lottery.api.activity.ActivityEvent.SeedPublished;
import lottery.api.activity.ActivityId;
import lottery.api.activity.ActivityState;
import lottery.api.activity.ChanceBundle;
import lottery.api.activity.ListedActivities;
import lottery.api.activity.ListedActivity;
import lottery.api.activity.SkuId;
import lottery.api.activity.SkuOffer;
import lottery.api.strategy.StrategyId;
import lottery.stage.OnStage;
import lottery.stage.Script;
import lottery.view.activity.ActivityReader.FindActivities;
import lottery.view.activity.ActivityReader.FindActivity;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.http.HttpStatus;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.test.web.servlet.assertj.MvcTestResult;

@OnStage
@DisplayName("Activities over REST")
class ActivitiesEndpointTest {

    private static final Duration SOON = Duration.ofSeconds(15);

    private final MockMvcTester mvc;
    private final Script script;
    private final ActivityReader activities;

    @Autowired
    ActivitiesEndpointTest(MockMvcTester mvc, Script script, ActivityReader activities) {
        this.mvc = mvc;
        this.script = script;
        this.activities = activities;
    }

    @Test
    @DisplayName("An activity is shown with its whole definition, and has an ETag.")
    void contract() {
        ActivityId id = script.activity();
        awaitState(id, ActivityState.EDIT);

        MvcTestResult answer =
                mvc.get().uri("/api/v1/activities/{id}", id.value()).exchange();

        assertThat(answer).bodyJson().isStrictlyEqualTo("""
                {"activityId": %d, "state": "EDIT", "name": "Spring", "description": null,
                 "beginsAt": "2026-01-01T00:00:00Z", "endsAt": "2026-12-31T00:00:00Z", "zone": "Asia/Shanghai",
                 "strategyId": %d, "strategyVersion": null, "strategyHash": null,
                 "participationsMax": null, "free": null, "keysRequired": false, "audience": null, "queued": false,
                 "draw": null, "skus": [], "heldAwards": null, "awardStock": [],
                 "rounds": []}""".formatted(
                        id.value(), find(id).strategyId().value()));
        String tag = String.valueOf(answer.getResponse().getHeader("ETag"));
        assertThat(tag).startsWith("\"");
        assertThat(mvc.get()
                        .uri("/api/v1/activities/{id}", id.value())
                        .header("If-None-Match", tag)
                        .exchange())
                .hasStatus(HttpStatus.NOT_MODIFIED);
        assertThat(mvc.get().uri("/api/v1/activities").exchange()).headers().containsHeader("ETag");
    }

    @Test
    @DisplayName("An activity shows the stock of each SKU, and the limit of its participations.")
    void limits() {
        ActivityId id = new ActivityId(555_001);
        script.happens(
                id,
                new ActivityCreated(
                        id,
                        new ActivityDefinition(
                                "Limited",
                                null,
                                Instant.parse("2026-01-01T00:00:00Z"),
                                Instant.parse("2026-12-31T00:00:00Z"),
                                ZoneOffset.UTC,
                                new StrategyId(1),
                                1_000_000,
                                null,
                                null,
                                List.of(
                                        new SkuOffer(
                                                new SkuId(9001),
                                                null,
                                                new ChanceBundle(3, 2, 1),
                                                500,
                                                null,
                                                null,
                                                null,
                                                null),
                                        new SkuOffer(
                                                new SkuId(9002),
                                                null,
                                                new ChanceBundle(3, 2, 1),
                                                null,
                                                null,
                                                null,
                                                null,
                                                null)))));
        awaitState(id, ActivityState.EDIT);

        assertThat(mvc.get().uri("/api/v1/activities/{id}", id.value()).exchange())
                .bodyJson()
                .isLenientlyEqualTo("""
                        {"participationsMax": 1000000,
                         "skus": [{"sku": 9001, "stock": 500}, {"sku": 9002, "stock": null}]}""");
    }

    @Test
    @DisplayName("A list comes page by page, the highest ids first, each once, and by state.")
    void pages() {
        List<ActivityId> closed = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            ActivityId id = script.activity();
            script.happens(id, new ActivityClosed(id));
            script.happens(id, new SeedPublished(id, 1, "seed"));
            closed.addFirst(id);
        }
        ActivityId open = script.activity();
        awaitState(closed.getFirst(), ActivityState.CLOSED);
        awaitState(open, ActivityState.EDIT);

        assertThat(all(ActivityState.CLOSED)).containsSubsequence(closed).doesNotContain(open);
        assertThat(all(null))
                .containsSubsequence(closed)
                .contains(open)
                .doesNotHaveDuplicates()
                .isSortedAccordingTo((a, b) -> Long.compare(b.value(), a.value()));
    }

    private List<ActivityId> all(@Nullable ActivityState state) {
        List<ActivityId> read = new ArrayList<>();
        @Nullable String cursor = null;
        do {
            ListedActivities page = activities.answer(new FindActivities(state, cursor, 2));
            assertThat(page.items()).hasSizeBetween(1, 2);
            page.items().forEach(activity -> read.add(activity.activityId()));
            cursor = page.next();
        } while (cursor != null && read.size() < 1_000);
        return read;
    }

    @ParameterizedTest
    @ValueSource(strings = {"limit=0", "limit=101", "cursor=%25%25", "cursor=LTE", "cursor="})
    @DisplayName("A malformed request is refused.")
    void malformed(String parameter) {
        assertThat(mvc.get().uri("/api/v1/activities?" + parameter).exchange())
                .hasStatus(HttpStatus.BAD_REQUEST)
                .bodyJson()
                .isLenientlyEqualTo("{'why': 'INVALID', 'subject': '" + parameter.replaceAll("=.*", "") + "'}");
    }

    @Test
    @DisplayName("An activity that does not exist is not found.")
    void unknown() {
        assertThat(mvc.get().uri("/api/v1/activities/987654321").exchange())
                .hasStatus(HttpStatus.NOT_FOUND)
                .bodyJson()
                .isLenientlyEqualTo("{'why': 'NOT_FOUND', 'subject': 'activity:987654321'}");
    }

    private ListedActivity find(ActivityId id) {
        return activities.answer(new FindActivity(id)).orElseThrow(() -> new AssertionError(id));
    }

    private void awaitState(ActivityId id, ActivityState state) {
        await().atMost(SOON)
                .untilAsserted(() -> assertThat(activities.answer(new FindActivity(id)))
                        .hasValueSatisfying(
                                activity -> assertThat(activity.state()).isEqualTo(state)));
    }
}
