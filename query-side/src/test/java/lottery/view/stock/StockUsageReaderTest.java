package lottery.view.stock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import lottery.api.activity.ActivityDefinition;
import lottery.api.activity.ActivityEvent.ActivityCreated;
import lottery.api.activity.ActivityEvent.ActivityStarted;
import lottery.api.activity.ActivityId;
import lottery.api.activity.ChanceBundle;
import lottery.api.activity.SkuId;
import lottery.api.activity.SkuOffer;
import lottery.api.strategy.AwardDefinition;
import lottery.api.strategy.AwardType;
import lottery.api.strategy.Remedy;
import lottery.api.strategy.StrategyDefinition;
import lottery.api.strategy.StrategyEvent.StrategyDefined;
import lottery.api.strategy.StrategyEvent.StrategyRevised;
import lottery.api.strategy.StrategyId;
import lottery.stage.OnStage;
import lottery.stage.Script;
import org.assertj.core.groups.Tuple;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.test.web.servlet.assertj.MockMvcTester;

@OnStage
@DisplayName("The levels of limited stock")
class StockUsageReaderTest {

    private static final Duration SOON = Duration.ofSeconds(15);
    private static final int CAR = 102;
    private static final AtomicLong IDS = new AtomicLong(660_000);

    private final MockMvcTester mvc;
    private final Script script;
    private final StockUsageReader stocks;
    private final StockMeters meters;
    private final JdbcClient sql;

    private StrategyId strategy = new StrategyId(1);
    private ActivityId activity = new ActivityId(1);

    @Autowired
    StockUsageReaderTest(
            MockMvcTester mvc, Script script, StockUsageReader stocks, StockMeters meters, JdbcClient sql) {
        this.mvc = mvc;
        this.script = script;
        this.stocks = stocks;
        this.meters = meters;
        this.sql = sql;
    }

    /** Opens an activity with two cars, and five of a SKU. */
    @BeforeEach
    void open() {
        strategy = new StrategyId(IDS.incrementAndGet());
        activity = new ActivityId(strategy.value());
        script.happens(strategy, new StrategyDefined(strategy, 1, cars(2)));
        script.happens(
                activity,
                new ActivityCreated(
                        activity,
                        new ActivityDefinition(
                                "Limited",
                                null,
                                Instant.parse("2026-01-01T00:00:00Z"),
                                Instant.parse("2026-12-31T00:00:00Z"),
                                ZoneOffset.UTC,
                                strategy,
                                null,
                                null,
                                null,
                                List.of(
                                        new SkuOffer(
                                                new SkuId(9001),
                                                "Five",
                                                new ChanceBundle(3, 2, 1),
                                                5,
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
        awaitLeft(2, 5);
    }

    @Test
    @DisplayName("An activity shows what is left of its limited awards and SKUs.")
    void shown() {
        take("award", CAR, 1);
        take("sku", 9001, 1);
        awaitLeft(1, 4);

        assertThat(mvc.get().uri("/api/v1/activities/{id}", activity.value()).exchange())
                .bodyJson()
                .isLenientlyEqualTo("""
                        {"skus": [{"sku": 9001, "stock": 5, "stockLeft": 4}, {"sku": 9002, "stock": null, "stockLeft": null}],
                         "awardStock": [{"awardId": 102, "title": "Car", "stock": 2, "stockLeft": 1}]}""");
    }

    @Test
    @DisplayName("Each win lowers the stock of its award, and the wheel shows whether it is sold out.")
    void awards() {
        take("award", CAR, 1);
        awaitLeft(1, 5);
        awaitSoldOut(false);
        take("award", CAR, 1);
        awaitLeft(0, 5);
        awaitSoldOut(true);

        take("award", CAR, -1);

        awaitLeft(1, 5);
        awaitSoldOut(false);
    }

    @Test
    @DisplayName("The total is that of the newest strategy version, whichever version a win came from.")
    void revised() {
        take("award", CAR, 2);
        awaitSoldOut(true);

        script.happens(strategy, new StrategyRevised(strategy, 2, cars(5)));
        awaitLeft(3, 5);
        awaitSoldOut(false);

        script.happens(strategy, new StrategyRevised(strategy, 3, cars(1)));
        awaitLeft(0, 5);
        awaitSoldOut(true);

        script.happens(strategy, new StrategyRevised(strategy, 4, cars(null)));
        awaitSoldOut(false);
        assertThat(stocks.of(activity)).extracting(StockUsage::kind).containsExactly(StockUsage.LimitedKind.SKU);
    }

    @Test
    @DisplayName("The stock of a running activity is metered.")
    void metrics() {
        script.happens(activity, new ActivityStarted(activity, 1, "commitment", "sealed", "bound to 1"));
        take("award", CAR, 1);
        awaitLeft(1, 5);
        MeterRegistry registry = new SimpleMeterRegistry();

        meters.bindTo(registry);

        await().atMost(SOON)
                .untilAsserted(() -> assertThat(registry.find("lottery.stock.left")
                                .tag("activity", Long.toString(activity.value()))
                                .tag("kind", "AWARD")
                                .tag("number", "102")
                                .gauge())
                        .extracting(Gauge::value)
                        .isEqualTo(1.0));
    }

    private static StrategyDefinition cars(@Nullable Integer stock) {
        AwardDefinition coffee = Script.award(101, 1, 0);
        AwardDefinition car = AwardDefinition.of(CAR, "Car", AwardType.PHYSICAL, coffee.rate())
                .stock(stock)
                .sort(2)
                .onFailure(Remedy.SUBSTITUTE)
                .build();
        return StrategyDefinition.of(StrategyDefinition.Mode.SINGLE, List.of(coffee, car), 101);
    }

    /** Takes units as a commit of draws or recharges does. */
    private void take(String kind, int number, int units) {
        sql.sql("""
                        INSERT INTO counter AS known (name, taken, total) VALUES (?, abs(?), 1000)
                        ON CONFLICT (name) DO UPDATE SET taken = known.taken + ?""")
                .params("%s:%d/%d".formatted(kind, activity.value(), number), units, units)
                .update();
    }

    private void awaitLeft(int cars, int fives) {
        await().atMost(SOON)
                .untilAsserted(() -> assertThat(left())
                        .containsExactly(
                                tuple(StockUsage.LimitedKind.AWARD, cars), tuple(StockUsage.LimitedKind.SKU, fives)));
    }

    private List<Tuple> left() {
        List<Tuple> left = new ArrayList<>();
        stocks.of(activity).forEach(stock -> left.add(tuple(stock.kind(), stock.left())));
        return left;
    }

    private void awaitSoldOut(boolean soldOut) {
        await().atMost(SOON)
                .untilAsserted(() -> assertThat(mvc.get()
                                .uri("/api/v1/activities/{id}/awards?userId=ann", activity.value())
                                .exchange())
                        .bodyJson()
                        .isLenientlyEqualTo("""
                                [{"awardId": 101, "soldOut": false}, {"awardId": 102, "soldOut": %s}]""".formatted(soldOut)));
    }
}
