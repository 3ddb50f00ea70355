package lottery.activity;

import static java.util.Objects.requireNonNull;
import static lottery.activity.ActivityFixture.BEGIN;
import static lottery.activity.ActivityFixture.END;
import static lottery.activity.ActivityFixture.history;
import static lottery.api.activity.ActivityState.DOING;
import static lottery.api.activity.ActivityState.PAUSED;
import static org.assertj.core.api.Assertions.assertThat;

import lottery.api.Answer;
import lottery.api.Refusal;
import lottery.api.activity.ActivityEvent;
import lottery.api.activity.ActivityState;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("An activity gives chances and draws within its dates.")
class ActivityDatesTest {

    @ParameterizedTest(name = "{0}")
    @EnumSource(ActivityState.class)
    @DisplayName("An activity is open for draws only in DOING.")
    void onlyInDoing(ActivityState state) {
        assertThat(refusal(activity(state).requireOpen(BEGIN)))
                .isEqualTo(
                        switch (state) {
                            case DOING -> null;
                            case PAUSED -> Refusal.ACTIVITY_PAUSED;
                            default -> Refusal.ACTIVITY_NOT_OPEN;
                        });
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource(ActivityState.class)
    @DisplayName("An activity gives chances only in DOING and PAUSED.")
    void givesAlsoInAPause(ActivityState state) {
        boolean gives = state == DOING || state == PAUSED;
        assertThat(refusal(activity(state).requireRunning(BEGIN))).isEqualTo(gives ? null : Refusal.ACTIVITY_NOT_OPEN);
        assertThat(refusal(activity(state).requireRunning(END.plusNanos(1))))
                .isEqualTo(gives ? Refusal.ACTIVITY_DATES : Refusal.ACTIVITY_NOT_OPEN);
    }

    @Test
    @DisplayName("An activity is open for draws from its begin to its end, both included.")
    void withinItsDates() {
        ActivityProgress doing = activity(DOING);
        assertThat(refusal(doing.requireOpen(BEGIN.minusNanos(1)))).isEqualTo(Refusal.ACTIVITY_DATES);
        assertThat(refusal(doing.requireOpen(BEGIN))).isNull();
        assertThat(refusal(doing.requireOpen(END))).isNull();
        assertThat(refusal(doing.requireOpen(END.plusNanos(1)))).isEqualTo(Refusal.ACTIVITY_DATES);
    }

    private static @Nullable Refusal refusal(Answer<ActivityProgress> answer) {
        return switch (answer) {
            case Answer.Done<ActivityProgress> ignored -> null;
            case Answer.No<ActivityProgress> no -> no.refused().why();
        };
    }

    private static ActivityProgress activity(ActivityState state) {
        ActivityProgress activity = null;
        for (ActivityEvent event : history(state)) {
            activity = ActivityProgress.evolve(activity, event);
        }
        return requireNonNull(activity);
    }
}
