package lottery.view.wheel;

import static lottery.stage.Script.award;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import lottery.api.activity.ActivityId;
import lottery.api.strategy.StrategyDefinition;
import lottery.api.strategy.StrategyEvent.StrategyRevised;
import lottery.api.strategy.StrategyId;
import lottery.stage.OnStage;
import lottery.stage.PatientRedis;
import lottery.stage.Script;
import lottery.stage.StageStatements;
import lottery.view.RequiredPositionHolder;
import lottery.view.activity.ActivityFacts;
import lottery.view.activity.RedisActivityReadModel;
import lottery.view.redis.RedisReadModelFactory;
import lottery.view.stock.StockUsageReader;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.data.redis.core.StringRedisTemplate;

@OnStage
@DisplayName("The award list in Redis")
class WheelCacheTest {

    private static final Duration SOON = Duration.ofSeconds(60);

    private final RedisActivityReadModel activities;
    private final AwardListReadModel awards;
    private final StockUsageReader stocks;
    private final RedisReadModelFactory models;
    private final Script script;
    private final StageStatements statements;
    private final StringRedisTemplate redis;

    private ActivityId activity = new ActivityId(1);
    private StrategyId strategy = new StrategyId(1);

    @Autowired
    WheelCacheTest(
            RedisActivityReadModel activities,
            AwardListReadModel awards,
            StockUsageReader stocks,
            RedisReadModelFactory models,
            Script script,
            StageStatements statements,
            PatientRedis redis) {
        this.activities = activities;
        this.awards = awards;
        this.stocks = stocks;
        this.models = models;
        this.script = script;
        this.statements = statements;
        this.redis = redis.template();
    }

    @BeforeEach
    void open() {
        activity = script.activity(award(103, 2, 0), award(102, 2, 5), award(101, 3, 0));
        await().atMost(SOON).until(() -> ids().equals(List.of(102, 103, 101)));
        strategy = activities.find(activity).orElseThrow().strategyId();
    }

    @Test
    @DisplayName("A node without the list in memory gets it from Redis, without a statement of PostgreSQL.")
    void first() {
        awaitInRedis();
    }

    @Test
    @DisplayName("The list in Redis follows a revision, in the order of the wheel.")
    void follows() {
        awaitInRedis();
        script.happens(
                strategy,
                new StrategyRevised(
                        strategy,
                        2,
                        StrategyDefinition.of(
                                StrategyDefinition.Mode.SINGLE, List.of(award(105, 1, 0), award(104, 1, 0)), null)));
        await().atMost(SOON)
                .untilAsserted(
                        () -> assertThat(redis.<String, String>opsForHash().get(key(), "version"))
                                .isEqualTo("1"));

        assertThat(ids()).containsExactly(104, 105);
        ActivityFacts facts = activities.find(activity).orElseThrow();
        assertThat(RequiredPositionHolder.at(1, () -> awards.find(facts))).isEqualTo(awards.find(facts));
        awaitInRedis();
    }

    @ParameterizedTest
    @ValueSource(strings = {"list", "text", "nothing"})
    @DisplayName("If the key has another type, the list is right at once, and is stored again.")
    void lies(String kind) {
        awaitInRedis();
        for (String key : List.of(key(), "lottery:view:sold-out:" + activity.text())) {
            redis.delete(key);
            switch (kind) {
                case "list" -> redis.opsForList().leftPush(key, "wrong");
                case "text" -> redis.opsForValue().set(key, "wrong");
                default -> {}
            }
            assertThat(ids()).containsExactly(102, 103, 101);
        }
        awaitInRedis();
    }

    private void awaitInRedis() {
        await().atMost(SOON).untilAsserted(() -> {
            ids();
            assertThat(statements.during(WheelCacheTest::isOfTheList, this::ids))
                    .isEmpty();
        });
    }

    private static boolean isOfTheList(String sql) {
        return sql.contains("FROM view_award WHERE strategy_id")
                || sql.contains("limited.activity_id =")
                || (sql.contains("FROM view_activity WHERE activity_id = ?") && !sql.contains("EXISTS"));
    }

    /** Reads the ids like a node that has just started. */
    private List<Integer> ids() {
        WheelCache node = new WheelCache(activities, awards, stocks, models);
        try {
            return node.find(activity).stream()
                    .flatMap(wheel -> wheel.fields(0, Set.of()).stream())
                    .map(field -> field.awardId())
                    .toList();
        } finally {
            node.destroy();
        }
    }

    private String key() {
        return "lottery:view:" + strategy.text();
    }
}
