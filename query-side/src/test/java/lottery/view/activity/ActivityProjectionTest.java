package lottery.view.activity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.time.ZoneId;
import lottery.api.activity.ActivityEvent.ActivityPassed;
import lottery.api.activity.ActivityEvent.ActivityStarted;
import lottery.api.activity.ActivityEvent.ActivitySubmitted;
import lottery.api.activity.ActivityId;
import lottery.api.activity.ActivityState;
import lottery.stage.OnStage;
import lottery.stage.Script;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.simple.JdbcClient;

@OnStage
@DisplayName("The projection of activities")
class ActivityProjectionTest {

    private static final Duration SOON = Duration.ofSeconds(15);

    private final ActivityOverview activities;
    private final Script script;
    private final JdbcClient sql;

    @Autowired
    ActivityProjectionTest(ActivityOverview activities, Script script, JdbcClient sql) {
        this.activities = activities;
        this.script = script;
        this.sql = sql;
    }

    @Test
    @DisplayName("The states follow from the events, also after a second delivery.")
    void follow() {
        ActivityId id = script.activity();
        script.happens(id, new ActivitySubmitted(id));
        script.happens(id, new ActivityPassed(id, null, null));
        script.happens(id, new ActivityStarted(id, 1, "commitment", "k1:sealed"));
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
