package lottery.activity;

import static lottery.activity.ActivityFixture.BEGIN;
import static lottery.activity.ActivityFixture.CREATED;
import static lottery.activity.ActivityFixture.END;
import static lottery.activity.ActivityFixture.ID;
import static lottery.activity.ActivityFixture.definition;
import static lottery.activity.ActivityFixture.history;
import static lottery.api.activity.ActivityState.EDIT;

import java.util.List;
import lottery.api.Answer;
import lottery.api.Refusal;
import lottery.api.Refused;
import lottery.api.RefusedException;
import lottery.api.SubmissionFlaw;
import lottery.api.SubmissionFlaw.FlawKind;
import lottery.api.activity.ActivityCommand.CreateActivity;
import lottery.api.activity.ActivityCommand.EditActivity;
import lottery.api.activity.ActivityCommand.SubmitActivity;
import lottery.api.activity.ActivityEvent.ActivityCreated;
import lottery.api.activity.ActivityEvent.ActivityEdited;
import lottery.api.activity.ActivityEvent.ActivitySubmitted;
import lottery.api.activity.ActivityState;
import lottery.api.strategy.StrategyId;
import org.axonframework.test.aggregate.FixtureConfiguration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("The definition of an activity is sound, and is edited until its submission.")
class ActivityDefinitionTest {

    private static final EditActivity LATER = new EditActivity(ID, null, definition(BEGIN, END.plusSeconds(60)));

    private final ActivityFixture fixture = new ActivityFixture();
    private final FixtureConfiguration<Activity> activity = fixture.aggregate;

    @Test
    @DisplayName("An activity begins in EDIT.")
    void created() {
        activity.givenNoPriorActivity()
                .when(new CreateActivity(ID, CREATED.definition()))
                .expectEvents(CREATED)
                .expectResultMessagePayload(Answer.done(EDIT));
    }

    @Test
    @DisplayName("An activity whose end is before its begin is not created.")
    void datesInOrder() {
        activity.givenNoPriorActivity()
                .when(new CreateActivity(ID, definition(END, BEGIN)))
                .expectNoEvents()
                .expectException(RefusedException.class);
    }

    @Test
    @DisplayName("An activity can be submitted up to its last moment.")
    void inTime() {
        fixture.now = END;
        activity.given(CREATED).when(new SubmitActivity(ID)).expectEvents(new ActivitySubmitted(ID));
    }

    @Test
    @DisplayName("An activity needs a strategy and an end in the future, or all its flaws are reported at once.")
    void findings() {
        fixture.now = END.plusNanos(1);
        SubmissionFlaw over = new SubmissionFlaw("/endsAt", FlawKind.ENDS_IN_THE_PAST);
        activity.given(CREATED)
                .when(new SubmitActivity(ID))
                .expectNoEvents()
                .expectResultMessagePayload(
                        Answer.no(new Refused(Refusal.ACTIVITY_DATES, "activity:100", List.of(over))));
        activity.given(new ActivityCreated(ID, definition(BEGIN, END, new StrategyId(8))))
                .when(new SubmitActivity(ID))
                .expectNoEvents()
                .expectResultMessagePayload(Answer.no(new Refused(
                        Refusal.STRATEGY_INVALID,
                        "strategy:8",
                        List.of(over, new SubmissionFlaw("/strategyId", FlawKind.STRATEGY_UNKNOWN)))));
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource(ActivityState.class)
    @DisplayName("An activity is edited only in EDIT.")
    void onlyInEdit(ActivityState state) {
        var result = activity.given(List.copyOf(history(state))).when(LATER);
        if (state == EDIT) {
            result.expectEvents(new ActivityEdited(ID, LATER.definition()))
                    .expectResultMessagePayload(Answer.done(EDIT));
        } else {
            result.expectNoEvents()
                    .expectResultMessagePayload(Answer.no(new Refused(Refusal.ACTIVITY_STATE, "edit (" + state + ")")));
        }
    }

    @Test
    @DisplayName("An edit to the same definition stores nothing.")
    void equal() {
        activity.given(CREATED)
                .when(new EditActivity(ID, null, definition(BEGIN, END)))
                .expectNoEvents()
                .expectResultMessagePayload(Answer.done(EDIT));
        activity.given(CREATED, new ActivityEdited(ID, LATER.definition()))
                .when(LATER)
                .expectNoEvents();
        activity.given(CREATED, new ActivityEdited(ID, LATER.definition()))
                .when(new EditActivity(ID, null, CREATED.definition()))
                .expectEvents(new ActivityEdited(ID, CREATED.definition()));
    }

    @Test
    @DisplayName("An edit of a version that was edited since is refused, but a repeated one is not.")
    void editedSince() {
        EditActivity again = new EditActivity(ID, 1, LATER.definition());
        activity.given(CREATED).when(again).expectEvents(new ActivityEdited(ID, LATER.definition()));
        activity.given(CREATED, new ActivityEdited(ID, LATER.definition()))
                .when(again)
                .expectNoEvents()
                .expectResultMessagePayload(Answer.done(EDIT));
        activity.given(CREATED, new ActivityEdited(ID, LATER.definition()))
                .when(new EditActivity(ID, 1, definition(BEGIN, END.plusSeconds(120))))
                .expectNoEvents()
                .expectResultMessagePayload(Answer.no(new Refused(Refusal.VERSION_STALE, "activity:100 (2)")));
    }

    @Test
    @DisplayName("An edit to an invalid definition is refused.")
    void unsound() {
        activity.given(CREATED)
                .when(new EditActivity(ID, null, definition(END, BEGIN)))
                .expectNoEvents()
                .expectResultMessagePayload(Answer.no(new Refused(
                        Refusal.INVALID,
                        "activity:100",
                        List.of(new SubmissionFlaw("/endsAt", FlawKind.ENDS_BEFORE_BEGIN)))));
    }
}
