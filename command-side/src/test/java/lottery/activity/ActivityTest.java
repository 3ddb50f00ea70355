package lottery.activity;

import static java.util.Objects.requireNonNull;
import static lottery.api.activity.ActivityState.ARRAIGNED;
import static lottery.api.activity.ActivityState.CLOSED;
import static lottery.api.activity.ActivityState.DOING;
import static lottery.api.activity.ActivityState.EDIT;
import static lottery.api.activity.ActivityState.OPENED;
import static lottery.api.activity.ActivityState.PASSED;
import static lottery.api.activity.ActivityState.PAUSED;
import static lottery.api.activity.ActivityState.REFUSED;
import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import lottery.CommandTargets;
import lottery.api.Answer;
import lottery.api.Finding;
import lottery.api.Finding.FindingKind;
import lottery.api.Refusal;
import lottery.api.Refused;
import lottery.api.RefusedException;
import lottery.api.activity.ActivityCommand.AdoptStrategy;
import lottery.api.activity.ActivityCommand.CreateActivity;
import lottery.api.activity.ActivityCommand.EditActivity;
import lottery.api.activity.ActivityCommand.HoldAward;
import lottery.api.activity.ActivityCommand.OpenActivity;
import lottery.api.activity.ActivityCommand.PassActivity;
import lottery.api.activity.ActivityCommand.PublishSeed;
import lottery.api.activity.ActivityCommand.ReleaseHeldAward;
import lottery.api.activity.ActivityCommand.StartActivity;
import lottery.api.activity.ActivityCommand.SubmitActivity;
import lottery.api.activity.ActivityDefinition;
import lottery.api.activity.ActivityEvent;
import lottery.api.activity.ActivityEvent.ActivityClosed;
import lottery.api.activity.ActivityEvent.ActivityCreated;
import lottery.api.activity.ActivityEvent.ActivityEdited;
import lottery.api.activity.ActivityEvent.ActivityOpened;
import lottery.api.activity.ActivityEvent.ActivityPassed;
import lottery.api.activity.ActivityEvent.ActivityPaused;
import lottery.api.activity.ActivityEvent.ActivityRefused;
import lottery.api.activity.ActivityEvent.ActivityResumed;
import lottery.api.activity.ActivityEvent.ActivityRevoked;
import lottery.api.activity.ActivityEvent.ActivityStarted;
import lottery.api.activity.ActivityEvent.ActivitySubmitted;
import lottery.api.activity.ActivityEvent.AwardHeld;
import lottery.api.activity.ActivityEvent.HeldAwardReleased;
import lottery.api.activity.ActivityEvent.SeedPublished;
import lottery.api.activity.ActivityEvent.StrategyAdopted;
import lottery.api.activity.ActivityId;
import lottery.api.activity.ActivityState;
import lottery.api.activity.ApprovedStrategy;
import lottery.api.activity.ChanceBundle;
import lottery.api.activity.DrawPlan;
import lottery.api.activity.RoundCommitment;
import lottery.api.activity.RoundCommitment.CommittedStrategy;
import lottery.api.activity.Sku;
import lottery.api.activity.SkuOffer;
import lottery.api.strategy.AwardDefinition;
import lottery.api.strategy.AwardType;
import lottery.api.strategy.GrantTime;
import lottery.api.strategy.Remedy;
import lottery.api.strategy.StrategyDefinition;
import lottery.api.strategy.StrategyId;
import lottery.fairness.Beacons;
import lottery.fairness.Seed;
import lottery.fairness.SeedCache;
import lottery.fairness.SeedCipher;
import lottery.rule.DrawRules;
import lottery.store.trace.Actor;
import lottery.store.vault.SecretVault;
import lottery.strategy.StrategyHash;
import org.axonframework.eventhandling.EventMessage;
import org.axonframework.eventhandling.GenericEventMessage;
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

@DisplayName("The aggregate of an activity")
class ActivityTest {

    private static final ActivityId ID = new ActivityId(100);
    private static final Instant BEGIN = Instant.parse("2026-11-21T04:00:00Z");
    private static final Instant END = BEGIN.plusSeconds(3_600);

    private static final StrategyId STRATEGY = new StrategyId(7);
    private static final DrawRules RULES = DrawRules.assemble(
            STRATEGY,
            1,
            StrategyDefinition.of(
                    StrategyDefinition.Mode.SINGLE,
                    List.of(new AwardDefinition(
                            1,
                            "Tea",
                            null,
                            AwardType.TEXT,
                            Map.of(),
                            null,
                            BigDecimal.ONE,
                            null,
                            1,
                            0,
                            GrantTime.AT_ONCE,
                            Remedy.MANUAL,
                            null,
                            null)),
                    null));

    private static final ActivityCreated CREATED = new ActivityCreated(ID, definition(BEGIN, END));

    /** The seed of the first round with the random numbers of this test: a seed of zeros, and a nonce of zeros. */
    private static final Seed ZEROS = Seed.of("00".repeat(32));

    private static final ApprovedStrategy FIRST = new ApprovedStrategy(1, StrategyHash.of(RULES.definition()));

    private static final ApprovedStrategy SECOND = new ApprovedStrategy(2, FIRST.hash());

    private static final ActivityPassed PASSED_EVENT = new ActivityPassed(ID, 1, FIRST.hash());

    private static final StrategyAdopted ADOPTED = new StrategyAdopted(ID, 2, SECOND.hash(), null);

    private static final StrategyAdopted ADOPTED_IN_A_ROUND = adopted(SECOND);

    private static final ActivityStarted STARTED = started(1);

    private static final SeedCipher VAULT = vault();

    /** The events that lead to each state. */
    private static final Map<ActivityState, List<ActivityEvent>> HISTORIES = Map.of(
            EDIT, List.of(CREATED),
            ARRAIGNED, List.of(CREATED, new ActivitySubmitted(ID)),
            PASSED, List.of(CREATED, new ActivitySubmitted(ID), PASSED_EVENT),
            REFUSED, List.of(CREATED, new ActivitySubmitted(ID), new ActivityRefused(ID)),
            DOING, List.of(CREATED, new ActivitySubmitted(ID), PASSED_EVENT, STARTED),
            PAUSED, List.of(CREATED, new ActivitySubmitted(ID), PASSED_EVENT, STARTED, new ActivityPaused(ID)),
            CLOSED, List.of(CREATED, new ActivitySubmitted(ID), PASSED_EVENT, new ActivityClosed(ID)),
            OPENED,
                    List.of(
                            CREATED,
                            new ActivitySubmitted(ID),
                            PASSED_EVENT,
                            new ActivityClosed(ID),
                            new ActivityOpened(ID)));

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

    private Instant now = BEGIN;
    private boolean isUndecided;

    private final FixtureConfiguration<Activity> activity = new AggregateTestFixture<>(Activity.class)
            .registerCommandTargetResolver(new CommandTargets())
            .registerInjectableResource(VAULT)
            .registerInjectableResource(new SeedCache(VAULT))
            .registerInjectableResource(new Zeros())
            .registerInjectableResource(new SubmissionCheck(
                    id -> Optional.of(RULES).filter(rules -> rules.strategyId().equals(id)),
                    (_, _) -> Optional.empty(),
                    Beacons.none()))
            .registerInjectableResource(new StrategyApproval(
                    _ -> Optional.of(RULES),
                    (id, version) -> Optional.of(DrawRules.assemble(id, version, RULES.definition())),
                    (_, _) -> Optional.of("olga")))
            .registerInjectableResource((AwardLookup) (_, awardId) -> awardId == 1)
            .registerInjectableResource((UndecidedPools) _ -> isUndecided)
            .registerInjectableResource((InstantSource) () -> now);

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
    @DisplayName("An activity that was opened without a pass does not start, unless it has run before.")
    void openedLongAgo() {
        activity.given(CREATED, new ActivityClosed(ID), new ActivityOpened(ID))
                .when(new StartActivity(ID))
                .expectNoEvents()
                .expectResultMessagePayload(Answer.no(new Refused(Refusal.ACTIVITY_STATE, "start (OPENED)")));
        activity.given(
                        CREATED,
                        new ActivityClosed(ID),
                        new ActivityOpened(ID),
                        startedWith(1, null),
                        new ActivityClosed(ID),
                        new ActivityOpened(ID))
                .when(new StartActivity(ID))
                .expectEvents(startedWith(2, null));
    }

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
            try (var _ = Actor.open(new Actor(name, "approver", Set.of("approver"), Actor.Scope.ALL))) {
                activity.given(history)
                        .when(new PassActivity(ID, null, null))
                        .expectNoEvents()
                        .expectResultMessagePayload(Answer.no(
                                new Refused(Refusal.FORBIDDEN, "pass (written or submitted by %s)".formatted(name))));
            }
        }
        try (var _ = Actor.open(new Actor("paul", "approver", Set.of("approver"), Actor.Scope.ALL))) {
            activity.given(history).when(new PassActivity(ID, null, null)).expectEvents(PASSED_EVENT);
        }
    }

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
                List.of(new Finding("/strategyId", FindingKind.DRAW_AWARDS_UNFIT, "1")));
        activity.given(created, new ActivitySubmitted(ID))
                .when(new PassActivity(ID, null, null))
                .expectNoEvents()
                .expectResultMessagePayload(Answer.no(unfit));
        activity.given(created, new ActivitySubmitted(ID), PASSED_EVENT, STARTED)
                .when(new AdoptStrategy(ID, 2))
                .expectNoEvents()
                .expectResultMessagePayload(Answer.no(unfit));
    }

    @Test
    @DisplayName("A version that is approved already is adopted without an event.")
    void adoptedAgain() {
        List<ActivityEvent> adopted = Stream.concat(history(DOING).stream(), Stream.of(ADOPTED_IN_A_ROUND))
                .toList();
        activity.given(List.copyOf(adopted)).when(new AdoptStrategy(ID, 2)).expectNoEvents();
        activity.given(List.copyOf(adopted)).when(new AdoptStrategy(ID, 1)).expectEvents(adopted(FIRST));
    }

    @Test
    @DisplayName("A round has committed to each version in the order of its adoption, and the next round to its own.")
    void commitments() {
        String commitment = ZEROS.commitment();
        assertThat(progress(
                        PASSED_EVENT,
                        STARTED,
                        ADOPTED_IN_A_ROUND,
                        adopted(FIRST),
                        new ActivityClosed(ID),
                        ADOPTED,
                        new SeedPublished(ID, 1, ZEROS.reveal()),
                        new ActivityOpened(ID),
                        startedWith(2, SECOND)))
                .containsExactly(
                        new RoundCommitment(
                                1,
                                commitment,
                                ZEROS.reveal(),
                                List.of(committed(1, FIRST), committed(1, SECOND), committed(1, FIRST))),
                        new RoundCommitment(2, commitment, null, List.of(committed(2, SECOND))));
    }

    @Test
    @DisplayName("A round from before versions were approved has committed to none.")
    void commitmentsOfOld() {
        assertThat(progress(startedWith(1, null), ADOPTED_IN_A_ROUND))
                .containsExactly(new RoundCommitment(1, ZEROS.commitment(), null, null));
    }

    @Test
    @DisplayName("A round whose start or adoption lacks its commitment has not committed to that version.")
    void commitmentsRemoved() {
        assertThat(progress(PASSED_EVENT, startedWith(1, null), ADOPTED))
                .containsExactly(new RoundCommitment(1, ZEROS.commitment(), null, List.of()));
    }

    private static List<RoundCommitment> progress(ActivityEvent... events) {
        ActivityProgress progress = ActivityProgress.evolve(null, CREATED);
        for (ActivityEvent event : events) {
            progress = ActivityProgress.evolve(progress, event);
        }
        return progress.commitments();
    }

    private static CommittedStrategy committed(int round, ApprovedStrategy strategy) {
        return new CommittedStrategy(
                strategy.version(), strategy.hash(), RoundCommitment.of(ID, round, ZEROS.commitment(), strategy));
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
    @DisplayName("Nobody passes or adopts a version that he has written.")
    void author() {
        Actor olga = new Actor("olga", "approver", Set.of("approver"), Actor.Scope.ALL);
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

    @Nested
    @DisplayName("The submission of an activity")
    class Submitted {

        @Test
        @DisplayName("An activity can be submitted up to its last moment.")
        void inTime() {
            now = END;
            activity.given(CREATED).when(new SubmitActivity(ID)).expectEvents(new ActivitySubmitted(ID));
        }

        @Test
        @DisplayName("An activity needs a strategy and an end in the future, or all its flaws are reported at once.")
        void findings() {
            now = END.plusNanos(1);
            Finding over = new Finding("/endsAt", FindingKind.ENDS_IN_THE_PAST);
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
                            List.of(over, new Finding("/strategyId", FindingKind.STRATEGY_UNKNOWN)))));
        }
    }

    @Nested
    @DisplayName("The edit of an activity")
    class Edited {

        private static final EditActivity LATER = new EditActivity(ID, null, definition(BEGIN, END.plusSeconds(60)));

        @ParameterizedTest(name = "{0}: only in EDIT")
        @EnumSource(ActivityState.class)
        void onlyInEdit(ActivityState state) {
            var result = activity.given(List.copyOf(history(state))).when(LATER);
            if (state == EDIT) {
                result.expectEvents(new ActivityEdited(ID, LATER.definition()))
                        .expectResultMessagePayload(Answer.done(EDIT));
            } else {
                result.expectNoEvents()
                        .expectResultMessagePayload(
                                Answer.no(new Refused(Refusal.ACTIVITY_STATE, "edit (" + state + ")")));
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
                            List.of(new Finding("/endsAt", FindingKind.ENDS_BEFORE_BEGIN)))));
        }
    }

    @Nested
    @DisplayName("The seed of a round")
    class Seeded {

        private static final SeedPublished PUBLISHED = new SeedPublished(ID, 1, ZEROS.reveal());

        private List<ActivityEvent> closedAgain(ActivityEvent... more) {
            return Stream.concat(
                            Stream.concat(history(DOING).stream(), Stream.of(new ActivityClosed(ID))), Stream.of(more))
                    .toList();
        }

        @Test
        @DisplayName("A seed is drawn with the next start, committed to and sealed.")
        void nextRound() {
            activity.given(List.copyOf(closedAgain(new ActivityOpened(ID))))
                    .when(new StartActivity(ID))
                    .expectEvents(started(2));
            assertThat(STARTED.commitment()).isEqualTo(ZEROS.commitment());
            assertThat(STARTED.sealedSeed())
                    .startsWith("k1:")
                    .isNotEqualTo(started(2).sealedSeed());
        }

        @Test
        @DisplayName("A seed stays secret while its round runs.")
        void running() {
            activity.given(List.copyOf(history(DOING)))
                    .when(new PublishSeed(ID, 1))
                    .expectNoEvents()
                    .expectResultMessagePayload(Answer.no(new Refused(Refusal.ACTIVITY_STATE, "publish-seed (DOING)")));
            activity.given(List.copyOf(history(PAUSED)))
                    .when(new PublishSeed(ID, 1))
                    .expectNoEvents()
                    .expectResultMessagePayload(
                            Answer.no(new Refused(Refusal.ACTIVITY_STATE, "publish-seed (PAUSED)")));
            activity.given(List.copyOf(closedAgain(new ActivityOpened(ID), started(2))))
                    .when(new PublishSeed(ID, 2))
                    .expectNoEvents();
        }

        @Test
        @DisplayName("A seed is published once, when its round is over, whether or not another round runs.")
        void published() {
            activity.given(List.copyOf(closedAgain()))
                    .when(new PublishSeed(ID, 1))
                    .expectEvents(PUBLISHED)
                    .expectResultMessagePayload(Answer.done(CLOSED));
            activity.given(List.copyOf(closedAgain(new ActivityOpened(ID), started(2))))
                    .when(new PublishSeed(ID, 1))
                    .expectEvents(PUBLISHED)
                    .expectResultMessagePayload(Answer.done(DOING));
            activity.given(List.copyOf(closedAgain(PUBLISHED)))
                    .when(new PublishSeed(ID, 1))
                    .expectNoEvents()
                    .expectResultMessagePayload(Answer.done(CLOSED));
        }

        @Test
        @DisplayName("The seed of a pool stays secret until its order is certain, also when the activity is over.")
        void undecided() {
            List<Object> over = new ArrayList<>(closedAgain());
            over.set(0, pooled());
            isUndecided = true;
            activity.given(over)
                    .when(new PublishSeed(ID, 1))
                    .expectNoEvents()
                    .expectResultMessagePayload(
                            Answer.no(new Refused(Refusal.ACTIVITY_STATE, "publish-seed (CLOSED)")));
            isUndecided = false;
            activity.given(over).when(new PublishSeed(ID, 1)).expectEvents(PUBLISHED);
        }

        @Test
        @DisplayName("A pool keeps its version when the activity is over.")
        void adoptedTooLate() {
            List<Object> over = new ArrayList<>(closedAgain());
            over.set(0, pooled());
            activity.given(over)
                    .when(new AdoptStrategy(ID, 2))
                    .expectNoEvents()
                    .expectResultMessagePayload(Answer.no(new Refused(Refusal.ACTIVITY_STATE, "adopt (CLOSED)")));
        }

        @Test
        @DisplayName("There is no seed of a round that does not exist.")
        void unknown() {
            activity.given(List.copyOf(closedAgain()))
                    .when(new PublishSeed(ID, 2))
                    .expectNoEvents()
                    .expectResultMessagePayload(Answer.no(new Refused(Refusal.NOT_FOUND, "activity:100#2")));
        }
    }

    @Nested
    @DisplayName("The dates of an activity")
    class Open {

        @ParameterizedTest(name = "{0}: only in DOING")
        @EnumSource(ActivityState.class)
        void onlyInDoing(ActivityState state) {
            assertThat(refusal(activity(state).openAt(BEGIN)))
                    .isEqualTo(
                            switch (state) {
                                case DOING -> null;
                                case PAUSED -> Refusal.ACTIVITY_PAUSED;
                                default -> Refusal.ACTIVITY_NOT_OPEN;
                            });
        }

        @ParameterizedTest(name = "{0}: only in DOING and PAUSED")
        @EnumSource(ActivityState.class)
        void givesAlsoInAPause(ActivityState state) {
            boolean gives = state == DOING || state == PAUSED;
            assertThat(refusal(activity(state).givesAt(BEGIN))).isEqualTo(gives ? null : Refusal.ACTIVITY_NOT_OPEN);
            assertThat(refusal(activity(state).givesAt(END.plusNanos(1))))
                    .isEqualTo(gives ? Refusal.ACTIVITY_DATES : Refusal.ACTIVITY_NOT_OPEN);
        }

        @Test
        @DisplayName("An activity is open for draws from its begin to its end, both included.")
        void withinItsDates() {
            ActivityProgress doing = activity(DOING);
            assertThat(refusal(doing.openAt(BEGIN.minusNanos(1)))).isEqualTo(Refusal.ACTIVITY_DATES);
            assertThat(refusal(doing.openAt(BEGIN))).isNull();
            assertThat(refusal(doing.openAt(END))).isNull();
            assertThat(refusal(doing.openAt(END.plusNanos(1)))).isEqualTo(Refusal.ACTIVITY_DATES);
        }

        private static @Nullable Refusal refusal(Answer<ActivityProgress> answer) {
            return switch (answer) {
                case Answer.Done<ActivityProgress> ignored -> null;
                case Answer.No<ActivityProgress> no -> no.refused().why();
            };
        }
    }

    private static ActivityProgress activity(ActivityState state) {
        ActivityProgress activity = null;
        for (ActivityEvent event : history(state)) {
            activity = ActivityProgress.evolve(activity, event);
        }
        return requireNonNull(activity);
    }

    /** Returns the begin of an activity that is drawn at one time. */
    private static ActivityCreated pooled() {
        ActivityDefinition plain = definition(BEGIN, END);
        return new ActivityCreated(
                ID,
                new ActivityDefinition(
                        plain.name(),
                        plain.description(),
                        BEGIN,
                        END,
                        plain.zone(),
                        STRATEGY,
                        null,
                        null,
                        null,
                        null,
                        null,
                        plain.skus(),
                        new DrawPlan(DrawPlan.DrawMode.SCHEDULED, END, BEGIN.plusSeconds(60), 0)));
    }

    private static List<ActivityEvent> history(ActivityState state) {
        return requireNonNull(HISTORIES.get(state));
    }

    private static ActivityDefinition definition(Instant beginsAt, Instant endsAt) {
        return definition(beginsAt, endsAt, STRATEGY);
    }

    private static ActivityDefinition definition(Instant beginsAt, Instant endsAt, StrategyId strategyId) {
        return new ActivityDefinition(
                "Spring",
                null,
                beginsAt,
                endsAt,
                ZoneId.of("Asia/Shanghai"),
                strategyId,
                null,
                null,
                null,
                List.of(new SkuOffer(new Sku(9001), null, new ChanceBundle(10, 10, 10), null, null, null)));
    }

    private static ActivityStarted started(int round) {
        return startedWith(round, FIRST);
    }

    private static ActivityStarted startedWith(int round, @Nullable ApprovedStrategy approved) {
        return new ActivityStarted(
                ID,
                round,
                ZEROS.commitment(),
                vault().seal(ZEROS, ID, round, new Zeros()),
                approved == null ? null : RoundCommitment.of(ID, round, ZEROS.commitment(), approved));
    }

    private static StrategyAdopted adopted(ApprovedStrategy strategy) {
        return new StrategyAdopted(
                ID, strategy.version(), strategy.hash(), RoundCommitment.of(ID, 1, ZEROS.commitment(), strategy));
    }

    private static SeedCipher vault() {
        return new SeedCipher(SecretVault.of(Map.of("k1", Base64.getEncoder().encodeToString(new byte[32])), "k1"));
    }

    /** Is predictable, so that the test knows the seed. */
    private static final class Zeros extends SecureRandom {

        @Override
        public void nextBytes(byte[] bytes) {
            Arrays.fill(bytes, (byte) 0);
        }
    }
}
