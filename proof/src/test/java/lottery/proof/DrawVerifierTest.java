package lottery.proof;

import static lottery.proof.SampleDraws.OTHER_SEED;
import static lottery.proof.SampleDraws.PLEDGE;
import static lottery.proof.SampleDraws.SEED;
import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import lottery.api.activity.ActivityId;
import lottery.api.activity.ApprovedStrategy;
import lottery.api.activity.RoundCommitment;
import lottery.api.activity.RoundCommitment.CommittedStrategy;
import lottery.api.raffle.Outcome;
import lottery.api.raffle.Prize;
import lottery.api.raffle.RaffleEvent.RaffleDrawn;
import lottery.proof.Difference.DifferenceMatter;
import lottery.rule.CompiledStrategy;
import lottery.rule.Described;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

@DisplayName("The verifier of draws")
class DrawVerifierTest {

    private static final CompiledStrategy RULES = Described.overall()
            .award(1, "0.2")
            .limited(2, "0.2", 10)
            .locked(3, "0.2", 2)
            .varying(4, "0.2", "0.50", "9.99")
            .fallback(1)
            .tier(5, 2, 3, 4)
            .blacklist(1, "user-9")
            .rules();

    private static final List<RaffleDrawn> DRAWS = SampleDraws.draws(RULES, 500);

    private static final CommittedStrategy VERSION = committed(1, "11".repeat(32));
    private static final CommittedStrategy NEXT = committed(2, "22".repeat(32));

    private final DrawVerifier verifier = new DrawVerifier(SampleDraws.ACTIVITY, List.of(RULES), List.of(PLEDGE));

    @Test
    @DisplayName("The verifier agrees with every draw that follows the rules, whatever its outcome.")
    void agrees() {
        assertThat(DRAWS)
                .allSatisfy(drawn -> assertThat(verifier.differences(drawn)).isEmpty());
        assertThat(DRAWS).extracting(RaffleDrawn::outcome).contains(Outcome.values());
    }

    private static RaffleDrawn withAmount() {
        return DRAWS.stream()
                .filter(drawn -> amountOf(drawn) != null)
                .findFirst()
                .orElseThrow();
    }

    private static @Nullable BigDecimal amountOf(RaffleDrawn drawn) {
        Prize award = drawn.award();
        return award == null ? null : award.amount();
    }

    private static DrawVerifier committedBy(RoundCommitment round) {
        return new DrawVerifier(SampleDraws.ACTIVITY, List.of(RULES), List.of(round));
    }

    private static RoundCommitment round(CommittedStrategy... strategies) {
        return new RoundCommitment(1, SEED.commitment(), SEED.reveal(), List.of(strategies));
    }

    private static CommittedStrategy committed(int version, String hash) {
        ApprovedStrategy strategy = new ApprovedStrategy(version, hash);
        return new CommittedStrategy(
                version, hash, RoundCommitment.of(SampleDraws.ACTIVITY, 1, SEED.commitment(), strategy));
    }

    private Set<DifferenceMatter> matters(RaffleDrawn drawn) {
        return matters(verifier, drawn);
    }

    private static Set<DifferenceMatter> matters(DrawVerifier verifier, RaffleDrawn drawn) {
        return verifier.differences(drawn).stream().map(Difference::matter).collect(Collectors.toSet());
    }

    @Nested
    @DisplayName("Differences")
    class Differs {

        private final RaffleDrawn won = withAmount();
        private final Prize prize = Objects.requireNonNull(won.award());
        private final BigDecimal amount = Objects.requireNonNull(prize.amount());

        @Test
        @DisplayName("The verifier reports a changed outcome.")
        void outcome() {
            assertThat(verifier.differences(SampleDraws.withOutcome(won, Outcome.FALLBACK)))
                    .containsExactly(new Difference(DifferenceMatter.OUTCOME, "FALLBACK", "WON"));
        }

        @Test
        @DisplayName("The verifier reports a changed award, or a changed title.")
        void award() {
            Prize other = new Prize(1, "Award 1", prize.type(), 1, amount);
            assertThat(matters(SampleDraws.withAward(won, other))).containsExactly(DifferenceMatter.AWARD);
            Prize title = new Prize(4, "Award 5", prize.type(), 4, amount);
            assertThat(verifier.differences(SampleDraws.withAward(won, title)))
                    .containsExactly(
                            new Difference(DifferenceMatter.AWARD, "4 Award 5 (TEXT, 4)", "4 Award 4 (TEXT, 4)"));
            assertThat(matters(SampleDraws.withAward(won, null)))
                    .containsExactlyInAnyOrder(DifferenceMatter.AWARD, DifferenceMatter.AMOUNT);
        }

        @Test
        @DisplayName("The verifier reports a changed amount.")
        void amount() {
            BigDecimal more = amount.add(new BigDecimal("0.01"));
            assertThat(verifier.differences(
                            SampleDraws.withAward(won, new Prize(4, prize.title(), prize.type(), prize.sort(), more))))
                    .containsExactly(
                            new Difference(DifferenceMatter.AMOUNT, more.toPlainString(), amount.toPlainString()));
        }

        @Test
        @DisplayName("The verifier reports a ticket that does not follow from the seed.")
        void ticket() {
            String other = "00".repeat(32);
            assertThat(verifier.differences(SampleDraws.withTicket(won, other)))
                    .contains(new Difference(DifferenceMatter.TICKET, other, won.ticket()));
        }

        @Test
        @DisplayName("The verifier reports a published seed that does not match its commitment.")
        void seed() {
            DrawVerifier deceived =
                    committedBy(new RoundCommitment(1, SEED.commitment(), OTHER_SEED.reveal(), List.of(VERSION)));
            assertThat(matters(deceived, won))
                    .containsExactlyInAnyOrder(DifferenceMatter.COMMITMENT, DifferenceMatter.TICKET);
            DrawVerifier swapped = committedBy(new RoundCommitment(
                    1,
                    OTHER_SEED.commitment(),
                    SEED.reveal(),
                    List.of(new CommittedStrategy(
                            1,
                            VERSION.strategyHash(),
                            RoundCommitment.of(
                                    SampleDraws.ACTIVITY, 1, OTHER_SEED.commitment(), VERSION.approved())))));
            assertThat(matters(swapped, won)).containsExactly(DifferenceMatter.COMMITMENT);
        }

        @Test
        @DisplayName("The verifier accepts each version that the round has committed to, whichever came first.")
        void accepted() {
            for (RoundCommitment round : List.of(
                    round(VERSION), round(NEXT, VERSION), round(VERSION, NEXT), round(VERSION, NEXT, VERSION))) {
                assertThat(committedBy(round).differences(won)).isEmpty();
            }
        }

        @Test
        @DisplayName("The verifier reports a version that the round has not committed to.")
        void uncommitted() {
            for (RoundCommitment round : List.of(round(), round(NEXT))) {
                assertThat(committedBy(round).differences(won))
                        .containsExactly(new Difference(
                                DifferenceMatter.ROUND_COMMITMENT,
                                "none",
                                "one to %s (1)".formatted(RULES.strategyId())));
            }
        }

        @Test
        @DisplayName("The verifier reports a commitment to another hash, version, round or seed.")
        void committedToAnother() {
            String published = VERSION.roundCommitment();
            CommittedStrategy otherHash = new CommittedStrategy(1, "00".repeat(32), published);
            CommittedStrategy otherVersion = new CommittedStrategy(1, VERSION.strategyHash(), NEXT.roundCommitment());
            assertThat(committedBy(round(otherHash)).differences(won))
                    .containsExactly(new Difference(
                            DifferenceMatter.ROUND_COMMITMENT,
                            published,
                            committed(1, "00".repeat(32)).roundCommitment()));
            for (RoundCommitment round : List.of(
                    round(otherVersion),
                    round(VERSION, otherHash),
                    round(otherHash, VERSION),
                    new RoundCommitment(1, SEED.commitment(), SEED.reveal(), List.of(ofRound(2))),
                    new RoundCommitment(1, SEED.commitment(), SEED.reveal(), List.of(ofActivity(8))))) {
                assertThat(matters(committedBy(round), won)).containsExactly(DifferenceMatter.ROUND_COMMITMENT);
            }
            RoundCommitment otherSeed =
                    new RoundCommitment(1, OTHER_SEED.commitment(), SEED.reveal(), List.of(VERSION));
            assertThat(matters(committedBy(otherSeed), won))
                    .containsExactlyInAnyOrder(DifferenceMatter.COMMITMENT, DifferenceMatter.ROUND_COMMITMENT);
        }

        private static CommittedStrategy ofRound(int round) {
            return new CommittedStrategy(
                    1,
                    VERSION.strategyHash(),
                    RoundCommitment.of(SampleDraws.ACTIVITY, round, SEED.commitment(), VERSION.approved()));
        }

        private static CommittedStrategy ofActivity(long activity) {
            return new CommittedStrategy(
                    1,
                    VERSION.strategyHash(),
                    RoundCommitment.of(new ActivityId(activity), 1, SEED.commitment(), VERSION.approved()));
        }

        @Test
        @DisplayName("The verifier reports a version or round that does not exist.")
        void unknown() {
            assertThat(matters(SampleDraws.withVersion(won, 2)))
                    .containsExactlyInAnyOrder(DifferenceMatter.STRATEGY_VERSION, DifferenceMatter.ROUND_COMMITMENT);
            assertThat(matters(SampleDraws.withRound(won, 2))).containsExactly(DifferenceMatter.ROUND);
        }
    }

    private static void add(RaffleDrawn drawn, DrawVerifier verifier, VerificationCount count) {
        count.add(drawn, verifier.hasSeed(drawn.round()), verifier.differences(drawn));
    }

    @Test
    @DisplayName("The verifier does not judge tickets while the seed is secret, and counts these draws.")
    void secret() {
        DrawVerifier early = committedBy(new RoundCommitment(1, SEED.commitment(), null, List.of(VERSION)));
        assertThat(early.ticketFromSeed(DRAWS.getFirst())).isNull();
        VerificationCount count = new VerificationCount(1);
        DRAWS.forEach(drawn -> add(drawn, early, count));
        assertThat(count.agreed()).isEqualTo(500);
        assertThat(count.unseeded()).isEqualTo(500);
    }

    @Test
    @DisplayName("The count keeps the first draws that differ, and counts the others.")
    void first() {
        VerificationCount count = new VerificationCount(2);
        DRAWS.stream().map(drawn -> SampleDraws.withRound(drawn, 2)).forEach(drawn -> add(drawn, verifier, count));
        assertThat(count.differing())
                .extracting(DifferingDraw::orderId)
                .containsExactly(DRAWS.get(0).orderId(), DRAWS.get(1).orderId());
        assertThat(count.draws()).isEqualTo(500);
        assertThat(count.agreed()).isZero();
    }
}
