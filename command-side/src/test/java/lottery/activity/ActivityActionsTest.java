package lottery.activity;

import static lottery.activity.ActivityFixture.ADOPTED;
import static lottery.activity.ActivityFixture.ADOPTED_IN_A_ROUND;
import static lottery.activity.ActivityFixture.CREATED;
import static lottery.activity.ActivityFixture.ID;
import static lottery.activity.ActivityFixture.PASSED_EVENT;
import static lottery.activity.ActivityFixture.STARTED;
import static lottery.activity.ActivityFixture.history;
import static lottery.api.activity.ActivityState.ARRAIGNED;
import static lottery.api.activity.ActivityState.CLOSED;
import static lottery.api.activity.ActivityState.DOING;
import static lottery.api.activity.ActivityState.EDIT;
import static lottery.api.activity.ActivityState.OPENED;
import static lottery.api.activity.ActivityState.PASSED;
import static lottery.api.activity.ActivityState.PAUSED;
import static lottery.api.activity.ActivityState.REFUSED;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import lottery.api.Answer;
import lottery.api.Refusal;
import lottery.api.Refused;
import lottery.api.activity.ActivityCommand.AdoptStrategy;
import lottery.api.activity.ActivityCommand.OpenActivity;
import lottery.api.activity.ActivityCommand.StartActivity;
import lottery.api.activity.ActivityEvent;
import lottery.api.activity.ActivityEvent.ActivityClosed;
import lottery.api.activity.ActivityEvent.ActivityOpened;
import lottery.api.activity.ActivityEvent.ActivityPaused;
import lottery.api.activity.ActivityEvent.ActivityRefused;
import lottery.api.activity.ActivityEvent.ActivityResumed;
import lottery.api.activity.ActivityEvent.ActivityRevoked;
import lottery.api.activity.ActivityEvent.ActivitySubmitted;
import lottery.api.activity.ActivityState;
import org.axonframework.test.aggregate.FixtureConfiguration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("An activity allows the actions of its state, and refuses all others.")
class ActivityActionsTest {

    /** The state table of the domain's description. */
    private static final Map<ActivityState, Map<ActivityAction, ActivityEvent>> TABLE = Map.of(
            EDIT,
                    Map.of(
                            ActivityAction.SUBMIT,
                            new ActivitySubmitted(ID),
                            ActivityAction.CLOSE,
                            new ActivityClosed(ID)),
            ARRAIGNED,
                    Map.of(
                            ActivityAction.PASS, PASSED_EVENT,
                            ActivityAction.REFUSE, new ActivityRefused(ID),
                            ActivityAction.REVOKE, new ActivityRevoked(ID),
                            ActivityAction.CLOSE, new ActivityClosed(ID)),
            PASSED,
                    Map.of(
                            ActivityAction.REFUSE,
                            new ActivityRefused(ID),
                            ActivityAction.CLOSE,
                            new ActivityClosed(ID),
                            ActivityAction.START,
                            STARTED,
                            ActivityAction.ADOPT,
                            ADOPTED),
            REFUSED,
                    Map.of(
                            ActivityAction.REVOKE,
                            new ActivityRevoked(ID),
                            ActivityAction.CLOSE,
                            new ActivityClosed(ID)),
            DOING,
                    Map.of(
                            ActivityAction.PAUSE, new ActivityPaused(ID),
                            ActivityAction.CLOSE, new ActivityClosed(ID),
                            ActivityAction.ADOPT, ADOPTED_IN_A_ROUND),
            PAUSED,
                    Map.of(
                            ActivityAction.RESUME, new ActivityResumed(ID),
                            ActivityAction.CLOSE, new ActivityClosed(ID),
                            ActivityAction.ADOPT, ADOPTED_IN_A_ROUND),
            CLOSED, Map.of(ActivityAction.OPEN, new ActivityOpened(ID), ActivityAction.ADOPT, ADOPTED),
            OPENED,
                    Map.of(
                            ActivityAction.CLOSE, new ActivityClosed(ID),
                            ActivityAction.START, STARTED,
                            ActivityAction.ADOPT, ADOPTED));

    private final FixtureConfiguration<Activity> activity = new ActivityFixture().aggregate;

    static Stream<Arguments> cells() {
        List<Arguments> cells = new ArrayList<>();
        for (ActivityState state : ActivityState.values()) {
            for (ActivityAction action : ActivityAction.values()) {
                cells.add(Arguments.of(state, action));
            }
        }
        return cells.stream();
    }

    @ParameterizedTest(name = "in {0}: {1}")
    @MethodSource("cells")
    @DisplayName("An action that the state table allows succeeds, and any other is refused.")
    void everyCell(ActivityState state, ActivityAction action) {
        Integer version = action == ActivityAction.ADOPT ? 2 : null;
        var result = activity.given(List.copyOf(history(state))).when(action.on(ID, version, null));
        ActivityEvent event = TABLE.getOrDefault(state, Map.of()).get(action);
        if (event == null) {
            result.expectNoEvents()
                    .expectResultMessagePayload(
                            Answer.no(new Refused(Refusal.ACTIVITY_STATE, action.text() + " (" + state + ")")));
        } else {
            result.expectEvents(event)
                    .expectResultMessagePayload(Answer.done(action == ActivityAction.ADOPT ? state : action.leadsTo()));
        }
    }

    static Stream<List<ActivityEvent>> neverPassed() {
        return Stream.of(
                List.of(CREATED, new ActivityClosed(ID)),
                List.of(
                        CREATED,
                        new ActivitySubmitted(ID),
                        PASSED_EVENT,
                        new ActivityRefused(ID),
                        new ActivityClosed(ID)));
    }

    @ParameterizedTest
    @MethodSource
    @DisplayName("An activity that nobody has passed as it is cannot be opened again, and adopts no version.")
    void neverPassed(List<ActivityEvent> history) {
        activity.given(List.copyOf(history))
                .when(new OpenActivity(ID))
                .expectNoEvents()
                .expectResultMessagePayload(Answer.no(new Refused(Refusal.ACTIVITY_STATE, "open (CLOSED)")));
        activity.given(List.copyOf(history)).when(new AdoptStrategy(ID, 2)).expectNoEvents();
    }

    @Test
    @DisplayName("An activity that was opened without a pass does not start.")
    void openedWithoutPass() {
        activity.given(CREATED, new ActivityClosed(ID), new ActivityOpened(ID))
                .when(new StartActivity(ID))
                .expectNoEvents()
                .expectResultMessagePayload(Answer.no(new Refused(Refusal.ACTIVITY_STATE, "start (OPENED)")));
    }
}
