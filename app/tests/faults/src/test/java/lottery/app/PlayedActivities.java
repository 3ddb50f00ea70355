package lottery.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import lottery.app.LotteryProcess.Reply;
import org.springframework.http.HttpMethod;
import tools.jackson.databind.JsonNode;

/**
 * The activities in which users play at one time.
 *
 * @param atOnce an activity that draws at once
 * @param pooled an activity that draws all entries together, soon
 * @param behaviour what a user does to earn a rebate for {@code atOnce}
 */
record PlayedActivities(TrialActivity atOnce, TrialActivity pooled, String behaviour) {

    /** The entries close while the faults come. */
    private static final Duration ENTRIES_MAX = Duration.ofSeconds(25);

    private static final Duration DRAWN_AFTER = Duration.ofSeconds(10);
    private static final Duration DRAWN_MAX = Duration.ofMinutes(2);
    private static final int POOL_UNITS = 6;

    private static final String RULES = """
            "mode": "SINGLE", "fallback": 1, "awards": [
              {"awardId": 1, "title": "Points", "type": "CREDIT", "amount": {"min": "0.01", "max": "8.88"}, "rate": "0.3",
               "sort": 1},
              {"awardId": 2, "title": "Cinema", "type": "TEXT", "rate": "0.3", "sort": 2, "stock": 25},
              {"awardId": 3, "title": "Car", "type": "TEXT", "rate": "0.1", "sort": 3, "stock": 5,
               "lockedUntilDraws": 1},
              {"awardId": 4, "title": "Code", "type": "CODE", "rate": "0.1", "sort": 4, "onFailure": "SUBSTITUTE"},
              {"awardId": 5, "title": "Voucher", "type": "CODE", "rate": "0.1", "sort": 5, "onFailure": "MANUAL"},
              {"awardId": 6, "title": "Bicycle", "type": "PHYSICAL", "rate": "0.05", "sort": 6},
              {"awardId": 7, "title": "Course", "type": "ENTITLEMENT", "rate": "0.05", "sort": 7,
               "config": {"contentId": "course"}}]""";

    private static final String POOL_RULES = """
            "mode": "SINGLE", "awards": [
              {"awardId": 1, "title": "Car", "type": "TEXT", "rate": "0.1", "sort": 1, "stock": 1},
              {"awardId": 2, "title": "Cinema", "type": "TEXT", "rate": "0.1", "sort": 2, "stock": 5}]""";

    /** Fewer codes than are won. */
    private static final Map<Integer, String> CODES = Map.of(
            4, """
            {"codes": ["CODE-1", "CODE-2", "CODE-3", "CODE-4", "CODE-5", "CODE-6", "CODE-7", "CODE-8"]}""",
            5, """
            {"codes": ["VOUCHER-1", "VOUCHER-2", "VOUCHER-3"]}""");

    static PlayedActivities open(LotteryProcess lottery, int participationsMax) {
        TrialActivity atOnce =
                TrialActivity.open(lottery, RULES, """
                "zone": "%s", "participationsMax": %d, "skus": [
                  {"sku": 1, "total": 6, "month": 6, "day": 6},
                  {"sku": 2, "total": 9, "month": 9, "day": 9, "stock": 20},
                  {"sku": 3, "total": 1, "month": 1, "day": 1, "stock": 30, "priceCredits": "1.5"},
                  {"sku": 4, "total": 2, "month": 2, "day": 2, "stock": 60, "perUser": {"max": 9, "period": "EVER"},
                   "entitlement": "course", "price": {"amount": "9.90", "currency": "CNY"}}]""".formatted(TrialActivity.MIDDAY_ZONE, participationsMax));
        CODES.forEach((award, codes) -> {
            Reply uploaded = new Patience().ask(() -> lottery.post(atOnce.path("/award-codes/" + award), codes));
            assertThat(uploaded.status()).as(uploaded.text()).isEqualTo(200);
        });
        return new PlayedActivities(atOnce, openPool(lottery), openRebates(atOnce));
    }

    private static TrialActivity openPool(LotteryProcess lottery) {
        return TrialActivity.before(
                (int) ENTRIES_MAX.toSeconds(),
                closeAt -> TrialActivity.open(lottery, POOL_RULES, """
                        "free": {"total": 9, "month": 9, "day": 9}, "draw": {"mode": "SCHEDULED", "drawAt": "%s",
                         "entriesCloseAt": "%s", "reserves": 2}""".formatted(closeAt.plus(DRAWN_AFTER), closeAt)));
    }

    /** Opens a rule whose rebates are credits and a SKU of which there are few. */
    private static String openRebates(TrialActivity activity) {
        String path = "/api/v1/rebate-rules/" + activity.id();
        String behaviour = "play-" + activity.id();
        Reply proposed = new Patience()
                .ask(() -> activity.lottery().ask(HttpMethod.PUT, path, """
                        {"behaviour": "%s", "state": "OPEN", "rebates": [
                          {"kind": "CREDIT", "amount": "0.5"}, {"kind": "SKU", "activityId": %d, "sku": 2}]}""".formatted(behaviour, activity.id())));
        assertThat(proposed.status()).as(proposed.text()).isEqualTo(202);
        String proposal = proposed.json().path("proposalId").asString();
        Patience.changed(
                () -> activity.lottery()
                        .post("/api/v1/ops/proposals/" + proposal + "/decision", "{\"decision\": \"AGREE\"}"),
                () -> activity.lottery().get(path).status() == 200);
        return behaviour;
    }

    /** Returns the same activities, as another process shows them. */
    PlayedActivities at(LotteryProcess other) {
        return new PlayedActivities(atOnce.at(other), pooled.at(other), behaviour);
    }

    LotteryProcess lottery() {
        return atOnce.lottery();
    }

    /** Waits until the pool is drawn, and requires that these entries were in it, and that all units are won. */
    void requireDrawn(Map<Integer, String> entries) {
        JsonNode drawn = await("the draw of the pool")
                .atMost(DRAWN_MAX)
                .until(
                        () -> pooled.lottery().get(pooled.path("/pool")).json(),
                        pool -> pool.path("state").asString().equals("DRAWN"));
        int size = drawn.path("entries").asInt();
        assertThat(StoredFacts.events("raffle.entered", pooled)).isEqualTo(size);
        assertThat(drawn.path("winners").asInt()).isEqualTo(Math.min(size, POOL_UNITS));
        entries.forEach((number, order) -> {
            JsonNode proof = new Patience()
                    .ask(() -> pooled.lottery().get(pooled.path("/entries/" + number + "/proof")))
                    .json();
            assertThat(EntryProofRoot.root(pooled.id(), number, order, proof.path("path")))
                    .as("the entry %d of %s", number, order)
                    .isEqualTo(drawn.path("root").asString());
        });
    }

    /** Requires that each code is with one award that was granted by it, and that each such award has one. */
    int requireCodes() {
        List<String> granted = StoredFacts.grantedByCode(atOnce);
        assertThat(StoredFacts.recordsWithCode(atOnce)).containsExactlyInAnyOrderElementsOf(granted);
        return granted.size();
    }
}
