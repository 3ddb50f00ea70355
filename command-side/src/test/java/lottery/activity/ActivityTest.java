package lottery.activity;

import static java.util.Objects.requireNonNull;
import static lottery.api.activity.ActivityState.ARRAIGNED;
import static lottery.api.activity.ActivityState.CLOSED;
import static lottery.api.activity.ActivityState.DOING;
import static lottery.api.activity.ActivityState.EDIT;
import static lottery.api.activity.ActivityState.OPENED;
import static lottery.api.activity.ActivityState.PASSED;
import static lottery.api.activity.ActivityState.REFUSED;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import lottery.CommandTargets;
import lottery.api.Answer;
import lottery.api.Refusal;
import lottery.api.Refused;
import lottery.api.RefusedException;
import lottery.api.activity.ActivityCommand.CreateActivity;
import lottery.api.activity.ActivityDefinition;
import lottery.api.activity.ActivityEvent;
import lottery.api.activity.ActivityEvent.ActivityClosed;
import lottery.api.activity.ActivityEvent.ActivityCreated;
import lottery.api.activity.ActivityEvent.ActivityOpened;
import lottery.api.activity.ActivityEvent.ActivityPassed;
import lottery.api.activity.ActivityEvent.ActivityRefused;
import lottery.api.activity.ActivityEvent.ActivityRevoked;
import lottery.api.activity.ActivityEvent.ActivityStarted;
import lottery.api.activity.ActivityEvent.ActivitySubmitted;
import lottery.api.activity.ActivityId;
import lottery.api.activity.ActivityState;
import lottery.api.activity.Bundle;
import lottery.api.activity.Sku;
import lottery.api.activity.SkuOffer;
import lottery.api.strategy.StrategyId;
import org.axonframework.test.aggregate.AggregateTestFixture;
import org.axonframework.test.aggregate.FixtureConfiguration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("An activity")
class ActivityTest {

    private static final ActivityId ID = new ActivityId(100);
    private static final Instant BEGIN = Instant.parse("2026-11-21T04:00:00Z");
    private static final Instant END = BEGIN.plusSeconds(3_600);

    private static final ActivityCreated CREATED = new ActivityCreated(ID, definition(BEGIN, END));

    /** How an activity comes into each state. */
    private static final Map<ActivityState, List<ActivityEvent>> HISTORIES = Map.of(
            EDIT, List.of(CREATED),
            ARRAIGNED, List.of(CREATED, new ActivitySubmitted(ID)),
            PASSED, List.of(CREATED, new ActivitySubmitted(ID), new ActivityPassed(ID)),
            REFUSED, List.of(CREATED, new ActivitySubmitted(ID), new ActivityRefused(ID)),
            DOING, List.of(CREATED, new ActivitySubmitted(ID), new ActivityPassed(ID), new ActivityStarted(ID)),
            CLOSED, List.of(CREATED, new ActivityClosed(ID)),
            OPENED, List.of(CREATED, new ActivityClosed(ID), new ActivityOpened(ID)));

    /** The table as the domain's description has it, state by state. */
    private static final Map<ActivityState, Map<Action, ActivityEvent>> TABLE = Map.of(
            EDIT, Map.of(Action.CLOSE, new ActivityClosed(ID)),
            ARRAIGNED,
                    Map.of(
                            Action.PASS, new ActivityPassed(ID),
                            Action.REFUSE, new ActivityRefused(ID),
                            Action.REVOKE, new ActivityRevoked(ID),
                            Action.CLOSE, new ActivityClosed(ID)),
            PASSED,
                    Map.of(
                            Action.REFUSE, new ActivityRefused(ID),
                            Action.CLOSE, new ActivityClosed(ID),
                            Action.START, new ActivityStarted(ID)),
            REFUSED, Map.of(Action.REVOKE, new ActivityRevoked(ID), Action.CLOSE, new ActivityClosed(ID)),
            DOING, Map.of(Action.CLOSE, new ActivityClosed(ID)),
            CLOSED, Map.of(Action.OPEN, new ActivityOpened(ID)),
            OPENED, Map.of(Action.CLOSE, new ActivityClosed(ID), Action.START, new ActivityStarted(ID)));

    private final FixtureConfiguration<Activity> activity =
            new AggregateTestFixture<>(Activity.class).registerCommandTargetResolver(new CommandTargets());

    static Stream<Arguments> cells() {
        List<Arguments> cells = new ArrayList<>();
        for (ActivityState state : ActivityState.values()) {
            for (Action action : Action.values()) {
                // Submitting asks for the strategy as well: see DrawingTest, where there are some.
                if (action != Action.SUBMIT) {
                    cells.add(Arguments.of(state, action));
                }
            }
        }
        return cells.stream();
    }

    @ParameterizedTest(name = "in {0}: {1}")
    @MethodSource("cells")
    @DisplayName("does what the table of states allows and refuses the rest")
    void everyCell(ActivityState state, Action action) {
        var result = activity.given(List.copyOf(history(state))).when(action.on(ID));
        ActivityEvent event = TABLE.getOrDefault(state, Map.of()).get(action);
        if (event == null) {
            result.expectNoEvents()
                    .expectResultMessagePayload(
                            Answer.no(new Refused(Refusal.ACTIVITY_STATE, action.text() + " (" + state + ")")));
        } else {
            result.expectEvents(event).expectResultMessagePayload(Answer.done(action.leadsTo()));
        }
    }

    @ParameterizedTest
    @EnumSource(ActivityState.class)
    @DisplayName("can be submitted in EDIT alone")
    void submit(ActivityState state) {
        assertThat(Action.allowedIn(state).contains(Action.SUBMIT)).isEqualTo(state == EDIT);
        assertThat(Action.SUBMIT.leadsTo()).isEqualTo(ARRAIGNED);
    }

    @Test
    @DisplayName("begins in EDIT")
    void created() {
        activity.givenNoPriorActivity()
                .when(new CreateActivity(ID, CREATED.definition()))
                .expectEvents(CREATED)
                .expectResultMessagePayload(Answer.done(EDIT));
    }

    @Test
    @DisplayName("that would end before it begins does not begin at all")
    void datesInOrder() {
        activity.givenNoPriorActivity()
                .when(new CreateActivity(ID, definition(END, BEGIN)))
                .expectNoEvents()
                .expectException(RefusedException.class);
    }

    @Nested
    @DisplayName("is open for draws")
    class Open {

        @ParameterizedTest(name = "{0}: only in DOING")
        @EnumSource(ActivityState.class)
        void onlyInDoing(ActivityState state) {
            assertThat(refusal(campaign(state).openAt(BEGIN)))
                    .isEqualTo(state == DOING ? null : Refusal.ACTIVITY_NOT_OPEN);
        }

        @Test
        @DisplayName("from its begin to its end, both included")
        void withinItsDates() {
            Campaign doing = campaign(DOING);
            assertThat(refusal(doing.openAt(BEGIN.minusNanos(1)))).isEqualTo(Refusal.ACTIVITY_DATES);
            assertThat(refusal(doing.openAt(BEGIN))).isNull();
            assertThat(refusal(doing.openAt(END))).isNull();
            assertThat(refusal(doing.openAt(END.plusNanos(1)))).isEqualTo(Refusal.ACTIVITY_DATES);
        }

        private static @Nullable Refusal refusal(Answer<Campaign> answer) {
            return switch (answer) {
                case Answer.Done<Campaign> ignored -> null;
                case Answer.No<Campaign> no -> no.refused().why();
            };
        }
    }

    private static Campaign campaign(ActivityState state) {
        Campaign campaign = null;
        for (ActivityEvent event : history(state)) {
            campaign = Campaign.evolve(campaign, event);
        }
        return requireNonNull(campaign);
    }

    private static List<ActivityEvent> history(ActivityState state) {
        return requireNonNull(HISTORIES.get(state));
    }

    private static ActivityDefinition definition(Instant beginsAt, Instant endsAt) {
        return new ActivityDefinition(
                "Spring",
                null,
                beginsAt,
                endsAt,
                ZoneId.of("Asia/Shanghai"),
                new StrategyId(7),
                List.of(new SkuOffer(new Sku(9001), null, new Bundle(10, 10, 10))));
    }
}
