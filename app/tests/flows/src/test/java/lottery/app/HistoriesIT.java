package lottery.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import lottery.app.LotteryProcess.Reply;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Compares histories and figures with the answers to the requests that they are about, with the packaged jar. */
@DisplayName("Histories and figures")
@Order(1)
class HistoriesIT {

    private static final Duration SOON = Duration.ofSeconds(20);

    private static LotteryProcess lottery;

    @BeforeAll
    static void open() {
        lottery = GatewayLottery.process();
    }

    private static TrialActivity newActivity() {
        return TrialActivity.open(lottery, """
                "mode": "SINGLE", "awards": [
                  {"awardId": 1, "title": "Coffee", "type": "TEXT", "rate": "0.5", "sort": 1, "cost": "2.50"}]""", """
                "zone": "%s", "free": {"total": 30, "month": 30, "day": 30},
                "skus": [{"sku": 1, "total": 3, "month": 3, "day": 3}]""".formatted(TrialActivity.MIDDAY_ZONE));
    }

    /** Reads after a position. A read model that is late answers 503. */
    private static Reply read(String path) {
        return new Patience().ask(() -> lottery.get(path));
    }

    @Test
    @DisplayName("All draws are listed as they were answered, on two pages and more, also those that won nothing")
    void draws() {
        TrialActivity activity = newActivity();
        List<JsonNode> answered = new ArrayList<>();
        IntStream.range(0, 20).forEach(i -> {
            if (i % 5 == 0) {
                activity.partake("ann");
            }
            answered.addFirst(activity.draw("ann", "draw-" + i).json());
        });
        String open = activity.partake("ann").json().path("orderId").asString();

        JsonNode first =
                lottery.get(activity.account("ann") + "/draws?limit=15").json();
        JsonNode second = lottery.get(activity.account("ann") + "/draws?limit=15&cursor="
                        + first.path("next").asString())
                .json();

        assertThat(first.path("items")).containsExactlyElementsOf(answered.subList(0, 15));
        assertThat(second.path("items")).containsExactlyElementsOf(answered.subList(15, 20));
        assertThat(second.has("next")).isFalse();
        assertThat(lottery.get(activity.account("ann") + "/raffle-orders")
                        .json()
                        .path("items"))
                .hasSize(20)
                .first()
                .satisfies(order -> assertThat(order.path("orderId").asString()).isEqualTo(open))
                .satisfies(order -> assertThat(order.path("state").asString()).isEqualTo("CREATED"));
    }

    @Test
    @DisplayName("A recharge is found by its number, also while it waits for its payment")
    void recharges() {
        TrialActivity activity = newActivity();
        activity.recharge("ann");
        String number = "later-" + activity.id();
        Reply later = lottery.post(activity.account("ann") + "/recharges", """
                {"sku": 1, "outBusinessNo": "%s", "payLater": true}""".formatted(number));
        String after = "after=" + later.headers().getFirst("Lottery-Position");

        assertThat(read(activity.account("ann") + "/recharges?" + after).json().path("items"))
                .extracting(recharge -> recharge.path("state").asString())
                .containsExactly("WAITING", "COMPLETED");
        assertThat(read(activity.account("ann") + "/recharges?" + after + "&outBusinessNo=" + number)
                        .json()
                        .path("items"))
                .singleElement()
                .satisfies(recharge -> assertThat(recharge.path("rechargeId"))
                        .isEqualTo(later.json().path("rechargeId")));
    }

    @Test
    @DisplayName("Figures are the sums of what was answered")
    void figures() {
        TrialActivity activity = newActivity();
        activity.recharge("ann");
        long won = 0;
        String position = "";
        for (String user : List.of("ann", "bob", "eve")) {
            for (int i = 0; i < 10; i++) {
                Reply drawn = activity.draw(user, "draw-" + i);
                won += drawn.json().path("outcome").asString().equals("WON") ? 1 : 0;
                position = drawn.headers().getFirst("Lottery-Position");
            }
        }
        String asked = activity.path("/figures?after=" + position);
        await().atMost(SOON).until(() -> lottery.get(asked).status() == 200);
        JsonNode figures = read(asked).json();

        JsonNode total = figures.path("total");
        assertThat(total.path("players").asLong()).isEqualTo(3);
        assertThat(total.path("draws").asLong()).isEqualTo(30);
        assertThat(total.path("wins").path(0).path("wins").asLong()).isEqualTo(won);
        assertThat(total.path("cost").asDouble()).isEqualTo(won * 2.5);
        assertThat(total.path("freeChances").asLong()).isEqualTo(90);
        assertThat(total.path("rechargedChances").asLong()).isEqualTo(3);
        assertThat(total.path("spentChances").asLong()).isEqualTo(30);
        assertThat(figures.path("days"))
                .singleElement()
                .satisfies(day -> assertThat(day.path("sums")).isEqualTo(total));
    }
}
