package lottery.activity;

import static lottery.activity.ActivityFixture.ADOPTED;
import static lottery.activity.ActivityFixture.ADOPTED_IN_A_ROUND;
import static lottery.activity.ActivityFixture.CREATED;
import static lottery.activity.ActivityFixture.FIRST;
import static lottery.activity.ActivityFixture.ID;
import static lottery.activity.ActivityFixture.PASSED_EVENT;
import static lottery.activity.ActivityFixture.SECOND;
import static lottery.activity.ActivityFixture.STARTED;
import static lottery.activity.ActivityFixture.ZEROS;
import static lottery.activity.ActivityFixture.adopted;
import static lottery.activity.ActivityFixture.history;
import static lottery.activity.ActivityFixture.pooled;
import static lottery.activity.ActivityFixture.started;
import static lottery.activity.ActivityFixture.startedWith;
import static lottery.api.activity.ActivityState.CLOSED;
import static lottery.api.activity.ActivityState.DOING;
import static lottery.api.activity.ActivityState.PAUSED;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import lottery.api.Answer;
import lottery.api.Refusal;
import lottery.api.Refused;
import lottery.api.activity.ActivityCommand.AdoptStrategy;
import lottery.api.activity.ActivityCommand.PublishSeed;
import lottery.api.activity.ActivityCommand.StartActivity;
import lottery.api.activity.ActivityEvent;
import lottery.api.activity.ActivityEvent.ActivityClosed;
import lottery.api.activity.ActivityEvent.ActivityOpened;
import lottery.api.activity.ActivityEvent.SeedPublished;
import lottery.api.activity.ApprovedStrategy;
import lottery.api.activity.RoundCommitment;
import lottery.api.activity.RoundCommitment.CommittedStrategy;
import org.axonframework.test.aggregate.FixtureConfiguration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A round commits to its seed and its strategies, and its seed is published when it is over.")
class RoundSeedTest {

    private static final SeedPublished PUBLISHED = new SeedPublished(ID, 1, ZEROS.reveal());

    private final ActivityFixture fixture = new ActivityFixture();
    private final FixtureConfiguration<Activity> activity = fixture.aggregate;

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
    @DisplayName("A round whose adoption lacks its commitment has not committed to that version.")
    void commitmentsRemoved() {
        assertThat(progress(PASSED_EVENT, startedWith(1, FIRST), ADOPTED))
                .containsExactly(new RoundCommitment(1, ZEROS.commitment(), null, List.of(committed(1, FIRST))));
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

    private List<ActivityEvent> closedAgain(ActivityEvent... more) {
        return Stream.concat(Stream.concat(history(DOING).stream(), Stream.of(new ActivityClosed(ID))), Stream.of(more))
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
                .expectResultMessagePayload(Answer.no(new Refused(Refusal.ACTIVITY_STATE, "publish-seed (PAUSED)")));
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
        fixture.isUndecided = true;
        activity.given(over)
                .when(new PublishSeed(ID, 1))
                .expectNoEvents()
                .expectResultMessagePayload(Answer.no(new Refused(Refusal.ACTIVITY_STATE, "publish-seed (CLOSED)")));
        fixture.isUndecided = false;
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
