package lottery.activity;

import static lottery.activity.ActivityFixture.ADOPTED_IN_A_ROUND;
import static lottery.activity.ActivityFixture.BEGIN;
import static lottery.activity.ActivityFixture.CREATED;
import static lottery.activity.ActivityFixture.END;
import static lottery.activity.ActivityFixture.FIRST;
import static lottery.activity.ActivityFixture.ID;
import static lottery.activity.ActivityFixture.PASSED_EVENT;
import static lottery.activity.ActivityFixture.adopted;
import static lottery.activity.ActivityFixture.definition;
import static lottery.activity.ActivityFixture.history;
import static lottery.api.activity.ActivityState.ARRAIGNED;
import static lottery.api.activity.ActivityState.DOING;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import lottery.api.Answer;
import lottery.api.Refusal;
import lottery.api.Refused;
import lottery.api.activity.ActivityCommand.AdoptStrategy;
import lottery.api.activity.ActivityCommand.PassActivity;
import lottery.api.activity.ActivityEvent;
import lottery.api.activity.ActivityEvent.ActivityEdited;
import lottery.api.activity.ActivityEvent.ActivityRevoked;
import lottery.api.activity.ActivityEvent.ActivitySubmitted;
import lottery.store.trace.Actor;
import org.axonframework.eventhandling.EventMessage;
import org.axonframework.eventhandling.GenericEventMessage;
import org.axonframework.test.aggregate.FixtureConfiguration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("An activity is approved by another person than its authors, and with the version that was looked at.")
class ActivityApprovalTest {

    private final FixtureConfiguration<Activity> activity = new ActivityFixture().aggregate;

    private static EventMessage<ActivityEvent> by(String actor, ActivityEvent event) {
        return new GenericEventMessage<>(event, Map.of(Actor.NAME_KEY, actor));
    }

    @Test
    @DisplayName("Nobody passes an activity that he has created, edited or submitted.")
    void writers() {
        List<EventMessage<ActivityEvent>> history = List.of(
                by("carl", CREATED),
                by("edda", new ActivityEdited(ID, CREATED.definition())),
                by("sue", new ActivitySubmitted(ID)));
        for (String name : List.of("carl", "edda", "sue")) {
            try (var _ = Actor.open(new Actor(name, "approver", Set.of("approver"), Actor.AccessScope.ALL))) {
                activity.given(history)
                        .when(new PassActivity(ID, null, null))
                        .expectNoEvents()
                        .expectResultMessagePayload(Answer.no(
                                new Refused(Refusal.FORBIDDEN, "pass (written or submitted by %s)".formatted(name))));
            }
        }
        try (var _ = Actor.open(new Actor("paul", "approver", Set.of("approver"), Actor.AccessScope.ALL))) {
            activity.given(history).when(new PassActivity(ID, null, null)).expectEvents(PASSED_EVENT);
        }
    }

    @Test
    @DisplayName("Nobody passes or adopts a version that he has written.")
    void author() {
        Actor olga = new Actor("olga", "approver", Set.of("approver"), Actor.AccessScope.ALL);
        Answer<?> refused = Answer.no(new Refused(Refusal.FORBIDDEN, "strategy:7, version 1 (written by olga)"));
        try (var _ = Actor.open(olga)) {
            activity.given(List.copyOf(history(ARRAIGNED)))
                    .when(new PassActivity(ID, null, null))
                    .expectNoEvents()
                    .expectResultMessagePayload(refused);
            activity.given(List.copyOf(history(DOING)))
                    .when(new AdoptStrategy(ID, 1))
                    .expectNoEvents()
                    .expectResultMessagePayload(refused);
        }
    }

    @Test
    @DisplayName("An activity is passed with the version that was looked at, and with no other.")
    void versionLookedAt() {
        activity.given(List.copyOf(history(ARRAIGNED)))
                .when(new PassActivity(ID, 1, null))
                .expectEvents(PASSED_EVENT);
        activity.given(List.copyOf(history(ARRAIGNED)))
                .when(new PassActivity(ID, 2, null))
                .expectNoEvents()
                .expectResultMessagePayload(Answer.no(new Refused(Refusal.VERSION_STALE, "strategy:7 (1)")));
    }

    @Test
    @DisplayName("An activity is passed with the definition that was looked at, and with no newer one.")
    void definitionLookedAt() {
        activity.given(List.copyOf(history(ARRAIGNED)))
                .when(new PassActivity(ID, 1, 1))
                .expectEvents(PASSED_EVENT);
        ActivityEvent edited = new ActivityEdited(ID, definition(BEGIN, END.plusSeconds(60)));
        activity.given(CREATED, edited, new ActivitySubmitted(ID))
                .when(new PassActivity(ID, 1, 1))
                .expectNoEvents()
                .expectResultMessagePayload(Answer.no(new Refused(Refusal.VERSION_STALE, "activity:100 (2)")));
        activity.given(CREATED, edited, new ActivitySubmitted(ID), new ActivityRevoked(ID), new ActivitySubmitted(ID))
                .when(new PassActivity(ID, 1, 2))
                .expectEvents(PASSED_EVENT);
    }

    @Test
    @DisplayName("A version that is approved already is adopted without an event.")
    void adoptedAgain() {
        List<ActivityEvent> adopted = Stream.concat(history(DOING).stream(), Stream.of(ADOPTED_IN_A_ROUND))
                .toList();
        activity.given(List.copyOf(adopted)).when(new AdoptStrategy(ID, 2)).expectNoEvents();
        activity.given(List.copyOf(adopted)).when(new AdoptStrategy(ID, 1)).expectEvents(adopted(FIRST));
    }
}
