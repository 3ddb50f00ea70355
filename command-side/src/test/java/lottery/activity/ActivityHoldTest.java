package lottery.activity;

import static lottery.activity.ActivityFixture.ID;
import static lottery.activity.ActivityFixture.PASSED_EVENT;
import static lottery.activity.ActivityFixture.STARTED;
import static lottery.activity.ActivityFixture.STRATEGY;
import static lottery.activity.ActivityFixture.history;
import static lottery.activity.ActivityFixture.pooled;

import java.util.List;
import java.util.stream.Stream;
import lottery.api.Answer;
import lottery.api.Refusal;
import lottery.api.Refused;
import lottery.api.SubmissionFlaw;
import lottery.api.SubmissionFlaw.FlawKind;
import lottery.api.activity.ActivityCommand.AdoptStrategy;
import lottery.api.activity.ActivityCommand.HoldAward;
import lottery.api.activity.ActivityCommand.PassActivity;
import lottery.api.activity.ActivityCommand.ReleaseHeldAward;
import lottery.api.activity.ActivityEvent;
import lottery.api.activity.ActivityEvent.ActivityCreated;
import lottery.api.activity.ActivityEvent.ActivitySubmitted;
import lottery.api.activity.ActivityEvent.AwardHeld;
import lottery.api.activity.ActivityEvent.HeldAwardReleased;
import lottery.api.activity.ActivityState;
import org.axonframework.test.aggregate.FixtureConfiguration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("An activity holds and releases single awards.")
class ActivityHoldTest {

    private final FixtureConfiguration<Activity> activity = new ActivityFixture().aggregate;

    @ParameterizedTest
    @EnumSource(ActivityState.class)
    @DisplayName("An award is held and released in any state, each once, and only if the strategy has it.")
    void held(ActivityState state) {
        List<ActivityEvent> history = history(state);
        AwardHeld held = new AwardHeld(ID, 1, "wrong codes");
        HeldAwardReleased released = new HeldAwardReleased(ID, 1, "right codes");
        activity.given(List.copyOf(history))
                .when(new HoldAward(ID, 1, "wrong codes"))
                .expectEvents(held)
                .expectResultMessagePayload(Answer.done(state));
        activity.given(List.copyOf(history))
                .when(new ReleaseHeldAward(ID, 1, "right codes"))
                .expectNoEvents()
                .expectResultMessagePayload(Answer.done(state));
        activity.given(List.copyOf(history))
                .when(new HoldAward(ID, 2, "wrong codes"))
                .expectNoEvents()
                .expectResultMessagePayload(Answer.no(new Refused(Refusal.NOT_FOUND, "activity:100/2")));
        List<ActivityEvent> then =
                Stream.concat(history.stream(), Stream.of(held)).toList();
        activity.given(List.copyOf(then)).when(new HoldAward(ID, 1, "again")).expectNoEvents();
        activity.given(List.copyOf(then))
                .when(new ReleaseHeldAward(ID, 1, "right codes"))
                .expectEvents(released);
        activity.given(List.copyOf(
                        Stream.concat(then.stream(), Stream.of(released)).toList()))
                .when(new HoldAward(ID, 1, "wrong codes"))
                .expectEvents(held);
    }

    @Test
    @DisplayName("An activity that is drawn at one time holds no award, and takes no version that cannot be drawn so.")
    void scheduled() {
        ActivityCreated created = pooled();
        activity.given(created)
                .when(new HoldAward(ID, 1, "wrong codes"))
                .expectNoEvents()
                .expectResultMessagePayload(Answer.no(new Refused(Refusal.DRAW_MODE, ID.text())));
        Refused unfit = new Refused(
                Refusal.STRATEGY_INVALID,
                STRATEGY.text(),
                List.of(new SubmissionFlaw("/strategyId", FlawKind.DRAW_AWARDS_UNFIT, "1")));
        activity.given(created, new ActivitySubmitted(ID))
                .when(new PassActivity(ID, null, null))
                .expectNoEvents()
                .expectResultMessagePayload(Answer.no(unfit));
        activity.given(created, new ActivitySubmitted(ID), PASSED_EVENT, STARTED)
                .when(new AdoptStrategy(ID, 2))
                .expectNoEvents()
                .expectResultMessagePayload(Answer.no(unfit));
    }
}
