package lottery.proof;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.Mockito.mock;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import lottery.api.Refusal;
import lottery.api.RefusedException;
import lottery.api.activity.ActivityId;
import lottery.api.raffle.RaffleEvent.RaffleDrawn;
import lottery.proof.ActivityDrawsVerifier.VerificationProgress;
import lottery.proof.ActivityDrawsVerifier.VerificationResult;
import lottery.rule.CompiledStrategy;
import lottery.rule.Described;
import lottery.store.axon.HistoryReader;
import lottery.store.log.Logs;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The verification of an activity")
class ActivityDrawsVerifierTest {

    private static final int EVENTS = 2_000;

    private static final CompiledStrategy RULES =
            Described.single().award(1, "0.5").award(2, "0.25").rules();

    private final Log log = new Log();
    private Duration perLook = Duration.ofMillis(400);
    private Instant now = Instant.EPOCH;

    private final ActivityDrawsVerifier verification = new ActivityDrawsVerifier(log, new NoPools(), () -> {
        now = now.plus(perLook);
        return now;
    });

    private static final class NoPools extends PoolEvidenceReader {

        NoPools() {
            super(mock(EventStore.class), (_, _) -> List.of());
        }

        @Override
        Optional<PublishedPool> find(ActivityId activityId) {
            return Optional.empty();
        }
    }

    /** A log in which every second event is a draw. */
    private static final class Log extends DrawEvidenceReader {

        private int tampered;

        Log() {
            super(mock(EventStore.class), mock(HistoryReader.class), mock(Logs.class));
        }

        @Override
        LogHeads heads() {
            return new LogHeads(List.of((long) EVENTS));
        }

        @Override
        Optional<DrawRules> grounds(ActivityId activityId) {
            return activityId.equals(SampleDraws.ACTIVITY)
                    ? Optional.of(new DrawRules(SampleDraws.ACTIVITY, List.of(RULES), List.of(SampleDraws.PLEDGE)))
                    : Optional.empty();
        }

        @Override
        <E extends Exception> void read(ActivityId activityId, LogHeads heads, DrawReceiver<E> reader) throws E {
            boolean goesOn = true;
            for (int i = 1; i <= heads.events() && goesOn; i++) {
                goesOn = reader.read(i, i % 2 == 0 ? Optional.of(draw(i)) : Optional.empty());
            }
        }

        private RaffleDrawn draw(int number) {
            RaffleDrawn drawn = SampleDraws.draw(RULES, number);
            return number / 2 <= tampered ? SampleDraws.withTicket(drawn, "00".repeat(32)) : drawn;
        }
    }

    private VerificationResult verify() throws IOException {
        return verification.verify(SampleDraws.ACTIVITY, progress -> {});
    }

    @Test
    @DisplayName("A verification counts all draws, and lists the first hundred that differ.")
    void counts() throws IOException {
        log.tampered = 150;
        VerificationResult result = verify();
        assertThat(result.draws()).isEqualTo(EVENTS / 2);
        assertThat(result.agreed()).isEqualTo(EVENTS / 2 - 150);
        assertThat(result.differing()).hasSize(100);
        assertThat(result.complete()).isTrue();
    }

    @Test
    @DisplayName("A verification reports its progress about every second.")
    void progress() throws IOException {
        List<VerificationProgress> seen = new ArrayList<>();
        verification.verify(SampleDraws.ACTIVITY, seen::add);
        assertThat(seen).hasSize(2).first().isEqualTo(new VerificationProgress(768, EVENTS, 384, 384));
    }

    @Test
    @DisplayName("A verification runs alone, and the next one may begin after its end, whatever that was.")
    void one() throws IOException {
        assertThatThrownBy(() -> verification.verify(SampleDraws.ACTIVITY, progress -> verify()))
                .isInstanceOfSatisfying(
                        RefusedException.class,
                        busy -> assertThat(busy.refused().why()).isEqualTo(Refusal.BUSY));
        assertThat(verify().complete()).isTrue();
    }

    @Test
    @DisplayName("A verification ends after its time limit, and reports that it is incomplete.")
    void timeIsOver() throws IOException {
        perLook = Duration.ofMinutes(2);
        VerificationResult result = verify();
        assertThat(result.complete()).isFalse();
        assertThat(result.draws()).isEqualTo(384);
    }

    @Test
    @DisplayName("A verification of an activity that does not exist is refused.")
    void unknown() {
        assertThatThrownBy(() -> verification.verify(new ActivityId(8), progress -> {}))
                .isInstanceOfSatisfying(
                        RefusedException.class,
                        unknown -> assertThat(unknown.refused().why()).isEqualTo(Refusal.NOT_FOUND));
    }
}
