package lottery.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import lottery.app.LotteryProcess.Reply;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Compares what the wheel shows with what a draw does, with the packaged jar. */
@DisplayName("The wheel and the draw")
@Order(1)
class WheelIT {

    private static final Duration SOON = Duration.ofSeconds(20);
    private static final int LOCK_MAX = 4;

    private static LotteryProcess lottery;

    @BeforeAll
    static void open() {
        lottery = GatewayLottery.process();
    }

    @Test
    @DisplayName("The wheel and the draw open a lock after the same number of draws, whatever number it is")
    void locks() {
        for (int lock = 0; lock <= LOCK_MAX; lock++) {
            TrialActivity opened =
                    TrialActivity.open(lottery, """
                    "mode": "SINGLE", "fallback": 1, "awards": [
                      {"awardId": 1, "title": "Coffee", "type": "TEXT", "rate": "0.000000001", "sort": 1},
                      {"awardId": 2, "title": "Car", "type": "TEXT", "rate": "0.999999999", "sort": 2, "lockedUntilDraws": %d}]""".formatted(lock), """
                    "zone": "%s", "skus": [{"sku": 1, "total": 100, "month": 100, "day": 100}]""".formatted(TrialActivity.MIDDAY_ZONE));
            opened.recharge("ann");
            for (int before = 0; before <= LOCK_MAX + 1; before++) {
                int drawsToUnlock = Math.max(0, lock - before);
                await().atMost(SOON)
                        .untilAsserted(() -> assertThat(
                                        car(opened).path("drawsToUnlock").asInt(-1))
                                .isEqualTo(drawsToUnlock));

                boolean unlocked = car(opened).path("unlocked").asBoolean();
                Reply drawn = opened.draw("ann", "draw-" + before);

                assertThat(drawn.json().path("outcome").asString())
                        .as("lock %d, %d draws before: %s", lock, before, drawn.text())
                        .isEqualTo(unlocked ? "WON" : "FALLBACK");
                assertThat(unlocked).isEqualTo(before >= lock);
            }
        }
    }

    @Test
    @DisplayName("The wheel and the draw agree about what is sold out, and the activity says how much is left")
    void soldOut() {
        TrialActivity opened = TrialActivity.open(lottery, """
                "mode": "SINGLE", "fallback": 1, "awards": [
                  {"awardId": 1, "title": "Coffee", "type": "TEXT", "rate": "0.000000001", "sort": 1},
                  {"awardId": 2, "title": "Car", "type": "TEXT", "rate": "0.999999999", "sort": 2, "stock": 2}]""", """
                "zone": "%s", "skus": [{"sku": 1, "total": 100, "month": 100, "day": 100, "stock": 5}]""".formatted(TrialActivity.MIDDAY_ZONE));
        opened.recharge("ann");
        for (int left = 2; left >= 0; left--) {
            int expected = left;
            await().atMost(SOON).untilAsserted(() -> {
                JsonNode activity = lottery.get(opened.path("")).json();
                assertThat(activity.path("awardStock").path(0).path("stockLeft").asInt(-1))
                        .isEqualTo(expected);
                assertThat(activity.path("skus").path(0).path("stockLeft").asInt(-1))
                        .isEqualTo(4);
                assertThat(car(opened).path("soldOut").asBoolean()).isEqualTo(expected == 0);
            });
            assertThat(opened.draw("ann", "draw-" + left).json().path("outcome").asString())
                    .isEqualTo(left > 0 ? "WON" : "FALLBACK");
        }
        await().atMost(SOON)
                .untilAsserted(() -> assertThat(lottery.get(opened.path("/winners"))
                                .json()
                                .path("items")
                                .size())
                        .isEqualTo(2));
    }

    private static JsonNode car(TrialActivity opened) {
        return lottery.get(opened.path("/awards?userId=ann")).json().path(1);
    }
}
