package lottery.view;

import static lottery.stage.Script.award;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import lottery.api.UserId;
import lottery.api.account.AccountId;
import lottery.api.activity.ActivityId;
import lottery.api.strategy.StrategyId;
import lottery.stage.OnStage;
import lottery.stage.PatientReader;
import lottery.stage.Script;
import lottery.stage.StageStatements;
import lottery.view.activity.ActivityFacts;
import lottery.view.activity.RedisActivityReadModel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.http.HttpStatus;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.test.web.servlet.assertj.MvcTestResult;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;

@OnStage
@DisplayName("The protection of the database from many requests")
class ProtectionTest {

    private static final Duration SOON = Duration.ofSeconds(15);

    /** The time limit of the queries of a crowd, which all have to begin while the first one is held up. */
    private static final Duration HELD_MAX = Duration.ofSeconds(30);

    private static final UserId ANN = new UserId("ann");
    private static final AtomicLong IDS = new AtomicLong(660_000_000);
    private static final int CROWD = 200;

    private record FindFacts(ActivityId activityId) implements Query<Optional<ActivityFacts>> {}

    private final MockMvcTester mvc;
    private final Script script;
    private final RedisActivityReadModel activities;
    private final SingleFlight questions = new SingleFlight("crowd", HELD_MAX);
    private final StageStatements statements;
    private final DataSource database;
    private final JdbcClient sql;

    private ActivityId known = new ActivityId(1);

    @Autowired
    ProtectionTest(
            MockMvcTester mvc,
            Script script,
            RedisActivityReadModel activities,
            StageStatements statements,
            DataSource database,
            JdbcClient sql) {
        this.mvc = mvc;
        this.script = script;
        this.activities = activities;
        this.statements = statements;
        this.database = database;
        this.sql = sql;
    }

    @AfterEach
    void close() {
        questions.close();
    }

    @BeforeEach
    void open() {
        known = script.activity(award(101, 1, 0));
        assertThat(seen(known, "?after=" + head())).hasStatusOk();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/awards?userId=ann", "/accounts/ann", "/winners", "/odds/audit", "?after=1"})
    @DisplayName("A thousand requests for unknown ids cause hardly a statement.")
    void madeUp(String path) {
        long begunNanos = System.nanoTime();
        List<String> executed = statements.during(ProtectionTest::isOfActivities, () -> {
            for (int i = 0; i < 1_000; i++) {
                assertThat(get(fresh(), path)).hasStatus(HttpStatus.NOT_FOUND);
            }
        });

        long moments = Duration.ofNanos(System.nanoTime() - begunNanos).toMillis() / 200;
        assertThat((long) executed.size()).as("one for each moment").isLessThanOrEqualTo(moments + 2);
    }

    @Test
    @DisplayName(
            "A new activity is found at once by a caller that has waited for its position, and by all later callers.")
    void created() {
        for (int i = 0; i < 30; i++) {
            ActivityId fresh = fresh();
            assertThat(get(fresh, "")).hasStatus(HttpStatus.NOT_FOUND);
            script.created(fresh, new StrategyId(1));
            if (i % 2 == 0) {
                assertThat(seen(fresh, "/winners?after=" + head())).hasStatusOk();
            } else {
                // One caller waits for the position, and asks for something else.
                assertThat(seen(known, "?after=" + head())).hasStatusOk();
            }
            assertThat(get(fresh, "")).hasStatusOk();
        }
    }

    @Test
    @DisplayName(
            "An activity read by another process is found by a caller that has waited, and by others a moment later.")
    void createdElsewhere() {
        ActivityId fresh = fresh();
        script.recharged(new AccountId(known, ANN), 1, 1, 1);
        assertThat(get(fresh, "")).hasStatus(HttpStatus.NOT_FOUND);

        sql.sql(
                        "INSERT INTO view_activity SELECT ?, strategy_id, name, zone, state, definition, strategy_version,"
                                + " strategy_hash, rounds, held_awards, version, position FROM view_activity WHERE activity_id = ?")
                .params(fresh.value(), known.value())
                .update();

        try {
            assertThat(seen(fresh, "/accounts/ann?after=" + head())).hasStatusOk();
            await().atMost(SOON).untilAsserted(() -> assertThat(get(fresh, "")).hasStatusOk());
        } finally {
            sql.sql("DELETE FROM view_activity WHERE activity_id = ?")
                    .param(fresh.value())
                    .update();
        }
    }

    @Test
    @DisplayName("Equal requests at the same time share one query.")
    void crowd() throws Exception {
        long before = questions.joined();
        List<Future<Boolean>> answers = new ArrayList<>();
        List<String> executed;
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
                Connection other = database.getConnection()) {
            executed = statements.during(
                    ProtectionTest::isOfActivities,
                    () -> held(
                            other,
                            "view_activity",
                            () -> {
                                for (int i = 0; i < CROWD; i++) {
                                    answers.add(threads.submit(() -> isAnswered()));
                                }
                                await().atMost(SOON).until(() -> questions.joined() - before == CROWD - 1);
                            },
                            answers));
        }
        assertThat(answers)
                .allSatisfy(
                        answer -> assertThat(answer.get(1, TimeUnit.SECONDS)).isTrue());
        assertThat(executed).filteredOn(sql -> !sql.startsWith("LOCK")).hasSize(1);
    }

    @Test
    @DisplayName("Callers that have waited for a position do not share the running query, but the next one.")
    void next() throws Exception {
        List<Future<Boolean>> answers = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
                Connection other = database.getConnection()) {
            List<String> executed = statements.during(
                    ProtectionTest::isOfActivities,
                    () -> held(
                            other,
                            "view_activity",
                            () -> {
                                answers.add(threads.submit(() -> isAnswered()));
                                await().atMost(SOON).until(() -> waiting("view_activity") == 1);
                                long before = questions.joined();
                                for (int i = 0; i < CROWD; i++) {
                                    long position = 1L + i % 2;
                                    answers.add(threads.submit(() -> isAnsweredAfter(position)));
                                }
                                await().atMost(SOON).until(() -> questions.joined() - before == CROWD - 1);
                            },
                            answers));
            assertThat(executed).filteredOn(sql -> !sql.startsWith("LOCK")).hasSize(2);
        }
        assertThat(answers)
                .allSatisfy(
                        answer -> assertThat(answer.get(1, TimeUnit.SECONDS)).isTrue());
    }

    @Test
    @DisplayName("Requests of many users for one wheel read the part that all share once.")
    void wheel() throws Exception {
        ActivityId cold = script.activity(award(101, 1, 0));
        assertThat(seen(cold, "?after=" + head())).hasStatusOk();
        long begunNanos = System.nanoTime();
        List<Future<Boolean>> answers = new ArrayList<>();
        List<String> executed = statements.during(sql -> sql.contains("FROM view_award WHERE strategy_id"), () -> {
            try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
                IntStream.range(0, CROWD)
                        .mapToObj("/awards?userId=user-%d"::formatted)
                        .forEach(path -> answers.add(threads.submit(() -> isSeen(cold, path))));
            }
        });
        long moments = Duration.ofNanos(System.nanoTime() - begunNanos).toMillis() / 200;
        assertThat(answers)
                .allSatisfy(
                        answer -> assertThat(answer.get(1, TimeUnit.SECONDS)).isTrue());
        assertThat((long) executed.size()).isBetween(1L, moments + 1);
    }

    @Test
    @DisplayName("Requests of many users for the current wheel share its reads.")
    void wheelNow() throws Exception {
        List<Future<Boolean>> answers = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
                Connection other = database.getConnection()) {
            List<String> executed = statements.during(
                    sql -> sql.contains("FROM view_award WHERE strategy_id"),
                    () -> held(
                            other,
                            "view_award",
                            () -> {
                                AtomicInteger begun = new AtomicInteger();
                                for (int i = 0; i < CROWD; i++) {
                                    String path = "/awards?userId=user-%d&after=1".formatted(i);
                                    answers.add(threads.submit(() -> {
                                        begun.incrementAndGet();
                                        // A read that is held for too long is given up; its callers come again.
                                        return isSeen(known, path);
                                    }));
                                }
                                await().atMost(SOON).until(() -> begun.get() == CROWD && waiting("view_award") > 0);
                            },
                            answers));
            // The last callers may have come after the first ones had their answer.
            assertThat(executed).hasSizeBetween(1, CROWD / 10);
        }
        assertThat(answers)
                .allSatisfy(
                        answer -> assertThat(answer.get(1, TimeUnit.SECONDS)).isTrue());
    }

    /** Asks like a request that has waited for a position. */
    private boolean isAnsweredAfter(long position) {
        MockHttpServletRequest request = new MockHttpServletRequest();
        RequiredPositionHolder.keep(position, request);
        RequestContextHolder.setRequestAttributes(new ServletRequestAttributes(request));
        try {
            return isAnswered();
        } finally {
            RequestContextHolder.resetRequestAttributes();
        }
    }

    private boolean isAnswered() {
        return questions
                .ask(new FindFacts(known), query -> activities.find(query.activityId()))
                .isPresent();
    }

    /** Locks the table until the work is done; then all callers are answered. */
    private static void held(Connection other, String table, Runnable work, List<Future<Boolean>> answers) {
        try (Statement statement = other.createStatement()) {
            other.setAutoCommit(false);
            statement.execute("SET LOCAL idle_in_transaction_session_timeout = 0");
            statement.execute("LOCK TABLE " + table + " IN ACCESS EXCLUSIVE MODE");
            try {
                work.run();
            } finally {
                other.rollback();
                other.setAutoCommit(true);
            }
            await().atMost(SOON).until(() -> answers.stream().allMatch(Future::isDone));
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private long waiting(String table) {
        return sql.sql("SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = to_regclass(?)")
                .param(table)
                .query(Long.class)
                .single();
    }

    /** Leaves out meters, which read the stock of running activities from time to time. */
    private static boolean isOfActivities(String sql) {
        return sql.contains("view_activity") && !sql.contains("counter");
    }

    private static ActivityId fresh() {
        return new ActivityId(IDS.incrementAndGet());
    }

    private MvcTestResult get(ActivityId activity, String path) {
        return mvc.get().uri("/api/v1/activities/" + activity.value() + path).exchange();
    }

    private boolean isSeen(ActivityId activity, String path) {
        return seen(activity, path).getResponse().getStatus() == HttpStatus.OK.value();
    }

    private MvcTestResult seen(ActivityId activity, String path) {
        return PatientReader.read(mvc, "/api/v1/activities/" + activity.value() + path);
    }

    private long head() {
        return sql.sql("SELECT position FROM event_head").query(Long.class).single();
    }
}
