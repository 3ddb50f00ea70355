package lottery.view.activity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import lottery.api.activity.ActivityId;
import lottery.stage.OnStage;
import lottery.stage.Script;
import lottery.stage.StageStatements;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.JdbcOperations;

@OnStage
@DisplayName("More activities than cached ids")
class KnownActivityIdsTest {

    private static final Duration SOON = Duration.ofSeconds(15);
    private static final int KEPT_MAX = 2;
    private static final ActivityId NOBODYS = new ActivityId(880_000_001);

    private final Script script;
    private final StageStatements statements;
    private final JdbcOperations database;

    @Autowired
    KnownActivityIdsTest(Script script, StageStatements statements, JdbcOperations database) {
        this.script = script;
        this.statements = statements;
        this.database = database;
    }

    private KnownActivityIds fewIds() {
        List<ActivityId> created =
                Stream.generate(() -> script.activity()).limit(KEPT_MAX + 1).toList();
        KnownActivityIds all = new KnownActivityIds(database);
        await().atMost(SOON).until(() -> created.stream().allMatch(all::has));
        KnownActivityIds few = new KnownActivityIds(database, KEPT_MAX);
        assertThat(created).allMatch(few::has);
        return few;
    }

    @Test
    @DisplayName("An activity that does not exist is not taken for one that is not cached.")
    void unknown() {
        assertThat(fewIds().has(NOBODYS)).isFalse();
    }

    @Test
    @DisplayName("An id that is not cached is looked up, and the cache is not read again for it.")
    void lookedUp() {
        KnownActivityIds few = fewIds();
        assertThat(few.has(NOBODYS)).isFalse();
        List<String> executed = statements.during(
                KnownActivityIdsTest::isOfActivities,
                () -> assertThat(few.has(NOBODYS)).isFalse());
        assertThat(executed).singleElement().satisfies(sql -> assertThat(sql).contains("EXISTS"));
    }

    /** Leaves out meters, which read the stock of running activities from time to time. */
    private static boolean isOfActivities(String sql) {
        return sql.contains("view_activity") && !sql.contains("counter");
    }
}
