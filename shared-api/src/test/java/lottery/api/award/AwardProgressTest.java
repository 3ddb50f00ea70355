package lottery.api.award;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import lottery.api.UserId;
import lottery.api.account.AccountId;
import lottery.api.activity.ActivityId;
import lottery.api.award.AwardEvent.AwardAddressErased;
import lottery.api.award.AwardEvent.AwardClaimed;
import lottery.api.award.AwardEvent.AwardCompensated;
import lottery.api.award.AwardEvent.AwardDispatchFailed;
import lottery.api.award.AwardEvent.AwardDispatched;
import lottery.api.award.AwardEvent.AwardForfeited;
import lottery.api.award.AwardEvent.AwardGrantRejected;
import lottery.api.award.AwardEvent.AwardGranted;
import lottery.api.award.AwardEvent.AwardLeftToDesk;
import lottery.api.award.AwardEvent.AwardReleased;
import lottery.api.award.AwardEvent.AwardVoided;
import lottery.api.award.AwardEvent.AwardWon;
import lottery.api.raffle.Prize;
import lottery.api.raffle.RaffleRequestIdentity;
import lottery.api.strategy.AwardType;
import lottery.api.strategy.GrantTime;
import lottery.api.strategy.Remedy;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("A won award")
class AwardProgressTest {

    private static final ActivityId ACTIVITY = new ActivityId(1);
    private static final UserId USER = new UserId("ann");
    private static final AwardRecordId ID = AwardRecordId.of(
            RaffleRequestIdentity.of(new AccountId(ACTIVITY, USER), "key").id());

    private static final AwardWon WON = new AwardWon(
            ID,
            ACTIVITY,
            USER,
            new Prize(7, "Umbrella", AwardType.TEXT, 1, null),
            false,
            null,
            Map.of(),
            GrantTime.AT_ONCE,
            Remedy.MANUAL,
            null,
            Instant.EPOCH,
            null);

    static Stream<Arguments> states() {
        return Stream.of(
                arguments(AwardState.WON, WON),
                arguments(AwardState.WON, new AwardAddressErased(ID, USER)),
                arguments(AwardState.FORFEITED, new AwardForfeited(ID, USER, ACTIVITY)),
                arguments(AwardState.VOIDED, new AwardVoided(ID, USER, ACTIVITY, "bought")),
                arguments(AwardState.DISPATCHED, new AwardDispatched(ID, USER)),
                arguments(AwardState.DISPATCH_FAILED, new AwardDispatchFailed(ID, USER, 1, "too large")),
                arguments(AwardState.GRANTED, new AwardGranted(ID, USER, "f-1")),
                arguments(AwardState.REJECTED, new AwardGrantRejected(ID, USER, "f-1", "gone")),
                arguments(AwardState.COMPENSATED, new AwardCompensated(ID, USER, Remedy.RETURN_CHANCE, null)),
                arguments(AwardState.ON_DESK, new AwardLeftToDesk(ID, USER, "no answer")));
    }

    @ParameterizedTest
    @MethodSource("states")
    @DisplayName("is in the state that an event leads to")
    void goesOn(AwardState state, AwardEvent event) {
        assertThat(AwardProgress.stateAfter(event)).contains(state);
    }

    @Test
    @DisplayName("that was granted with its win cannot change any more")
    void grantedWithTheWin() {
        AwardWon granted = new AwardWon(
                ID,
                ACTIVITY,
                USER,
                WON.award(),
                false,
                null,
                Map.of(),
                GrantTime.AT_ONCE,
                Remedy.MANUAL,
                null,
                Instant.EPOCH,
                "text:1");

        AwardProgress progress = AwardProgress.after(null, granted);

        assertThat(AwardProgress.stateAfter(granted)).contains(AwardState.GRANTED);
        assertThat(progress.state()).isEqualTo(AwardState.GRANTED);
        assertThat(progress.state().isAwaited()).isFalse();
        assertThat(progress.isOnItsWay()).isFalse();
        assertThat(progress.canBeCompensated()).isFalse();
        assertThat(progress.canBeAskedAgain()).isFalse();
    }

    static List<AwardEvent> notes() {
        return List.of(new AwardReleased(ID, USER), new AwardClaimed(ID, USER, "1:sealed"));
    }

    @ParameterizedTest
    @MethodSource("notes")
    @DisplayName("keeps its state when it is released or claimed")
    void stays(AwardEvent event) {
        assertThat(AwardProgress.stateAfter(event)).isEmpty();
    }

    @Test
    @DisplayName("reaches every state in these tests, which cover every event")
    void complete() {
        Set<Object> reached = states().map(each -> each.get()[0]).collect(Collectors.toSet());
        Set<Class<?>> tried = Stream.concat(states().map(each -> each.get()[1]), notes().stream())
                .map(Object::getClass)
                .collect(Collectors.toSet());

        assertThat(reached).containsExactlyInAnyOrder((Object[]) AwardState.values());
        assertThat(tried).containsExactlyInAnyOrder(AwardEvent.class.getPermittedSubclasses());
    }
}
