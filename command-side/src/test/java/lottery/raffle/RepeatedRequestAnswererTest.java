package lottery.raffle;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.random.RandomGenerator;
import lottery.api.Answer;
import lottery.api.Refusal;
import lottery.api.Refused;
import lottery.api.UserId;
import lottery.api.account.AccountId;
import lottery.api.activity.ActivityId;
import lottery.api.raffle.RaffleEvent.RaffleOrderCreated;
import lottery.api.raffle.RaffleRequestIdentity;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("A request that is refused")
class RepeatedRequestAnswererTest {

    private static final AccountId ANN = new AccountId(new ActivityId(1), new UserId("ann"));

    private final RaffleInMemory raffle = new RaffleInMemory();
    private final RepeatedRequestAnswerer repeatedRequests =
            new RepeatedRequestAnswerer(raffle.orders, new RequestAnswers(raffle.log));
    private final RaffleRequestIdentity known = RaffleRequestIdentity.of(ANN, "known");

    @BeforeEach
    void partake() {
        raffle.given(known.id(), new RaffleOrderCreated(known.id(), ANN.activityId(), ANN.userId(), Instant.EPOCH));
    }

    @ParameterizedTest
    @EnumSource(
            value = Refusal.class,
            names = {"QUOTA_DAY", "KEY_REUSED", "NOT_READY"})
    @DisplayName("A repeated request gets its first answer, whatever the reason of the refusal.")
    void again(Refusal why) {
        assertThat(repeatedRequests.partaken(known, refused(why))).isEqualTo(Answer.done(known.id()));
    }

    @Test
    @DisplayName("A request that is refused as busy causes no look-up.")
    void busy() {
        assertThat(repeatedRequests.partaken(known, refused(Refusal.BUSY))).isEqualTo(Answer.no(refused(Refusal.BUSY)));
    }

    @Test
    @DisplayName("A request is refused if it was never answered, or cannot be repeated.")
    void first() {
        Refused refused = refused(Refusal.QUOTA_DAY);
        assertThat(repeatedRequests.partaken(RaffleRequestIdentity.of(ANN, "new"), refused))
                .isEqualTo(Answer.no(refused));
        RaffleRequestIdentity once = RaffleRequestIdentity.fresh(ANN, Instant.EPOCH, RandomGenerator.getDefault());
        assertThat(repeatedRequests.partaken(once, refused)).isEqualTo(Answer.no(refused));
    }

    private static Refused refused(Refusal why) {
        return new Refused(why, "ann");
    }
}
