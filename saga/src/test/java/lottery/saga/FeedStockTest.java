package lottery.saga;

import static lottery.saga.FeedFixture.LIMIT;
import static lottery.saga.FeedFixture.NOON;
import static lottery.saga.TopicReader.textOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.math.BigDecimal;
import java.util.List;
import java.util.concurrent.TimeUnit;
import lottery.api.UserId;
import lottery.api.award.AwardEvent.AwardForfeited;
import lottery.api.award.AwardEvent.AwardWon;
import lottery.api.award.AwardRecordId;
import lottery.api.award.BudgetShare;
import lottery.api.raffle.Outcome;
import lottery.api.raffle.RaffleEvent.RaffleDrawn;
import lottery.api.raffle.RaffleOrderId;
import lottery.api.strategy.AwardDefinition;
import lottery.api.strategy.AwardType;
import lottery.api.strategy.StrategyDefinition;
import lottery.api.strategy.StrategyEvent.StrategyDefined;
import lottery.api.strategy.StrategyId;
import lottery.messaging.KafkaTopics;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.test.context.TestConstructor;

@SpringBootTest
@TestConstructor(autowireMode = TestConstructor.AutowireMode.ALL)
@DisplayName("The feed publishes each step of the stock of an award once.")
class FeedStockTest {

    @AutoClose
    private final FeedFixture feed;

    FeedStockTest(FeedFixture feed) {
        this.feed = feed;
    }

    @Test
    @DisplayName("Each step of an award's stock is told once, through outages, returned units and a second telling.")
    void stock() throws Exception {
        StrategyId strategy = new StrategyId(feed.activity.value());
        feed.happen(strategy, fourUnits(strategy));
        win("one", strategy);
        AwardRecordId lost = win("two", strategy);
        feed.publisher.leave(KafkaTopics.EVENTS);
        feed.happen(lost, new AwardForfeited(lost, feed.user, feed.activity));
        win("three", strategy);
        win("four", strategy);
        await("an attempt without a broker")
                .atMost(LIMIT)
                .until(() -> feed.publisher.refusedSinceAway(KafkaTopics.EVENTS) > 1);
        feed.publisher.comeBack(KafkaTopics.EVENTS);
        win("five", strategy);

        String key = Long.toString(feed.activity.value());
        String prefix = feed.activity.value() + "/101/4";
        String budget = "budget:" + feed.activity.value() + "/10000000/";
        List<String> told = List.of(
                "stock:" + prefix + "/75",
                budget + "90",
                "stock:" + prefix + "/50",
                budget + "80",
                "stock:" + prefix + "/25",
                budget + "70",
                "stock:" + prefix + "/0",
                "sold-out:" + prefix,
                budget + "60");
        feed.awaitNews(key, told);
        assertThat(textOf(feed.awaitAbout(key, 5).getFirst()))
                .isEqualTo("{\"activityId\":" + key
                        + ",\"awardId\":101,\"title\":\"Coffee\",\"stock\":4,\"left\":3,\"percent\":75}");

        int before = feed.readOf(key).size();
        feed.processor.shutdownAsync().get(LIMIT.toSeconds(), TimeUnit.SECONDS);
        feed.database.sql("DELETE FROM token WHERE processor = 'feed'").update();
        feed.database.sql("DELETE FROM feed_stock_step").update();
        feed.database.sql("DELETE FROM feed_stock").update();
        feed.processor.start();
        feed.awaitAbout(key, before + told.size());
        feed.awaitNews(feed.user.value() + "-end", List.of(feed.spend(new UserId(feed.user.value() + "-end"), "end")));
        assertThat(feed.newsOf(key)).isEqualTo(told);
    }

    /** Lets the user win a unit of the award 101, with the events that a draw writes. */
    private AwardRecordId win(String key, StrategyId strategy) {
        RaffleOrderId order = feed.order(feed.user, key);
        AwardRecordId record = AwardRecordId.of(order);
        AwardWon won = feed.won(record, "Coffee");
        feed.happen(
                order,
                new RaffleDrawn(
                        order,
                        feed.activity,
                        feed.user,
                        strategy,
                        1,
                        1,
                        0,
                        0,
                        List.of(),
                        null,
                        null,
                        null,
                        "ab".repeat(32),
                        Outcome.WON,
                        won.award(),
                        NOON));
        feed.happen(
                record,
                new AwardWon(
                        record,
                        feed.activity,
                        feed.user,
                        won.award(),
                        true,
                        new BudgetShare(BigDecimal.ONE, BigDecimal.TEN, null),
                        won.config(),
                        won.grant(),
                        won.onFailure(),
                        null,
                        NOON,
                        null));
        return record;
    }

    private static StrategyDefined fourUnits(StrategyId strategy) {
        return new StrategyDefined(
                strategy,
                1,
                StrategyDefinition.of(
                        StrategyDefinition.Mode.SINGLE,
                        List.of(AwardDefinition.of(101, "Coffee", AwardType.CREDIT, BigDecimal.ONE)
                                .stock(4)
                                .sort(1)
                                .build()),
                        null));
    }
}
