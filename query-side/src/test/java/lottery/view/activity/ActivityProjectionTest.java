package lottery.view.activity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import lottery.api.activity.ActivityEvent.ActivityClosed;
import lottery.api.activity.ActivityEvent.ActivityPassed;
import lottery.api.activity.ActivityEvent.ActivityStarted;
import lottery.api.activity.ActivityEvent.ActivitySubmitted;
import lottery.api.activity.ActivityEvent.SeedPublished;
import lottery.api.activity.ActivityEvent.StrategyAdopted;
import lottery.api.activity.ActivityId;
import lottery.api.activity.ActivityState;
import lottery.api.activity.RoundCommitment;
import lottery.api.activity.RoundCommitment.CommittedStrategy;
import lottery.stage.OnStage;
import lottery.stage.Script;
import lottery.view.activity.ActivityReader.FindActivities;
import lottery.view.activity.ActivityReader.FindActivity;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.simple.JdbcClient;

@OnStage
@DisplayName("The projection of activities")
class ActivityProjectionTest {

    private static final Duration SOON = Duration.ofSeconds(15);

    private final RedisActivityReadModel activities;
    private final ActivityReader answers;
    private final Script script;
    private final JdbcClient sql;

    @Autowired
    ActivityProjectionTest(RedisActivityReadModel activities, ActivityReader answers, Script script, JdbcClient sql) {
        this.activities = activities;
        this.answers = answers;
        this.script = script;
        this.sql = sql;
    }

    @Test
    @DisplayName("An activity is shown with what each round has committed to, also after a second delivery.")
    void rounds() {
        ActivityId id = script.activity();
        script.happens(id, new ActivitySubmitted(id));
        script.happens(id, new ActivityPassed(id, 1, "hash of 1"));
        script.happens(id, new ActivityStarted(id, 1, "commitment", "k1:sealed", "bound to 1"));
        script.happens(id, new StrategyAdopted(id, 2, "hash of 2", "bound to 2"));
        script.happens(id, new ActivityClosed(id));
        script.happens(id, new SeedPublished(id, 1, "seed"));
        List<RoundCommitment> rounds = List.of(new RoundCommitment(
                1,
                "commitment",
                "seed",
                List.of(
                        new CommittedStrategy(1, "hash of 1", "bound to 1"),
                        new CommittedStrategy(2, "hash of 2", "bound to 2"))));
        await().atMost(SOON)
                .untilAsserted(() -> assertThat(answers.answer(new FindActivity(id)))
                        .hasValueSatisfying(shown -> assertThat(shown.rounds()).isEqualTo(rounds)));

        script.replay("activities");

        assertThat(answers.answer(new FindActivity(id)))
                .hasValueSatisfying(shown -> assertThat(shown.rounds()).isEqualTo(rounds));
        assertThat(answers.answer(new FindActivities(null, null, 1)).items())
                .allSatisfy(listed -> assertThat(listed.rounds()).isNull());
    }

    @Test
    @DisplayName("The states follow from the events, also after a second delivery.")
    void follow() {
        ActivityId id = script.activity();
        script.happens(id, new ActivitySubmitted(id));
        script.happens(id, new ActivityPassed(id, 1, "hash of 1"));
        script.happens(id, new ActivityStarted(id, 1, "commitment", "k1:sealed", "bound to 1"));
        await().atMost(SOON)
                .untilAsserted(() -> assertThat(activities.find(id))
                        .hasValueSatisfying(
                                activity -> assertThat(activity.state()).isEqualTo(ActivityState.DOING)));

        script.replay("activities");

        assertThat(activities.find(id)).hasValueSatisfying(activity -> {
            assertThat(activity.state()).isEqualTo(ActivityState.DOING);
            assertThat(activity.name()).isEqualTo("Spring");
            assertThat(activity.zone()).isEqualTo(ZoneId.of("Asia/Shanghai"));
        });
        assertThat(sql.sql("""
                        SELECT jsonb_strip_nulls(definition::jsonb) = jsonb_strip_nulls(payload -> 'definition')
                        FROM view_activity JOIN event_readable ON aggregate_id = ?
                        WHERE activity_id = ? AND type = 'activity.created'""")
                        .params(id.text(), id.value())
                        .query(Boolean.class)
                        .single())
                .as("the definition of the event")
                .isTrue();
    }
}
