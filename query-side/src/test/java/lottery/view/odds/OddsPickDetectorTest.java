package lottery.view.odds;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import lottery.api.UserId;
import lottery.api.account.AccountId;
import lottery.api.activity.ActivityId;
import lottery.api.raffle.Outcome;
import lottery.api.raffle.Prize;
import lottery.api.raffle.RaffleEvent.RaffleDrawn;
import lottery.api.raffle.RaffleRequestIdentity;
import lottery.api.strategy.AwardType;
import lottery.api.strategy.Blacklist;
import lottery.api.strategy.StrategyDefinition;
import lottery.api.strategy.StrategyDefinition.Mode;
import lottery.api.strategy.StrategyDefinition.TierMode;
import lottery.api.strategy.StrategyId;
import lottery.api.strategy.Tier;
import lottery.api.tree.TreeDefinition;
import lottery.stage.Script;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A draw that is compared with the promised odds")
class OddsPickDetectorTest {

    private static final UserId ANN = new UserId("ann");
    private static final UserId BEA = new UserId("bea");

    @Test
    @DisplayName("The draw shows which of the available awards it has picked.")
    void picks() {
        OddsPickDetector promise = promise(Mode.SINGLE, 1, TierMode.FLOOR, List.of(), null);

        assertThat(promise.picks(drawn(ANN, 0, 5, List.of(), Outcome.WON, 2)))
                .isEqualTo(Map.of(1, false, 2, true, 3, false, OddsPickDetector.NOTHING, false));
        assertThat(promise.picks(drawn(ANN, 0, 5, List.of(), Outcome.NOTHING, null)))
                .isEqualTo(Map.of(1, false, 2, false, 3, false, OddsPickDetector.NOTHING, true));
        assertThat(promise.nothing()).isEqualByComparingTo("0.7");
    }

    @Test
    @DisplayName("The draw shows nothing about a locked award, which the fallback hides.")
    void locked() {
        OddsPickDetector promise = promise(Mode.SINGLE, 1, TierMode.FLOOR, List.of(), null);

        assertThat(promise.picks(drawn(ANN, 9, 4, List.of(), Outcome.FALLBACK, 1)))
                .isEqualTo(Map.of(1, false, 2, false, OddsPickDetector.NOTHING, false));
        assertThat(promise(Mode.SINGLE, null, TierMode.FLOOR, List.of(), null)
                        .picks(drawn(ANN, 9, 4, List.of(), Outcome.NOTHING, null)))
                .isEqualTo(Map.of(1, false, 2, false));
    }

    @Test
    @DisplayName("The draw shows nothing about a sold-out award, and nothing at all if that changes the other odds.")
    void soldOut() {
        assertThat(promise(Mode.SINGLE, 1, TierMode.FLOOR, List.of(), null)
                        .picks(drawn(ANN, 9, 5, List.of(2), Outcome.FALLBACK, 1)))
                .isEqualTo(Map.of(1, false, 3, false, OddsPickDetector.NOTHING, false));
        assertThat(promise(Mode.SINGLE, null, TierMode.FLOOR, List.of(), null)
                        .picks(drawn(ANN, 9, 5, List.of(2), Outcome.NOTHING, null)))
                .isEqualTo(Map.of(1, false, 3, false));
        assertThat(promise(Mode.OVERALL, 1, TierMode.FLOOR, List.of(), null)
                        .picks(drawn(ANN, 9, 5, List.of(2), Outcome.WON, 1)))
                .isEmpty();
    }

    @Test
    @DisplayName("The draw does not show whether nothing was picked while the fallback is held.")
    void heldFallback() {
        assertThat(promise(Mode.SINGLE, 1, TierMode.FLOOR, List.of(), null)
                        .picks(drawn(ANN, 9, 5, List.of(1), Outcome.NOTHING, null)))
                .isEqualTo(Map.of(2, false, 3, false));
    }

    @Test
    @DisplayName("The draw shows nothing if it was not from the whole table by the usual tree.")
    void special() {
        List<Tier> tiers = List.of(new Tier(3, List.of(1)), new Tier(5, List.of(2)));
        OddsPickDetector floor = promise(Mode.SINGLE, 1, TierMode.FLOOR, tiers, null);
        assertThat(floor.picks(drawn(ANN, 1, 0, List.of(), Outcome.WON, 1))).isNotEmpty();
        assertThat(floor.picks(drawn(ANN, 2, 0, List.of(), Outcome.WON, 1))).isEmpty();
        assertThat(floor.picks(drawn(ANN, 3, 0, List.of(), Outcome.WON, 1))).isEmpty();
        OddsPickDetector exact = promise(Mode.SINGLE, 1, TierMode.EXACT, tiers, null);
        assertThat(exact.picks(drawn(ANN, 2, 0, List.of(), Outcome.WON, 1))).isEmpty();
        assertThat(exact.picks(drawn(ANN, 3, 0, List.of(), Outcome.WON, 1))).isNotEmpty();
        assertThat(exact.picks(drawn(BEA, 3, 0, List.of(), Outcome.WON, 1))).isEmpty();
        TreeDefinition tree = new TreeDefinition("root", List.of(), List.of());
        assertThat(promise(Mode.SINGLE, 1, TierMode.FLOOR, List.of(), tree)
                        .picks(drawn(ANN, 0, 5, List.of(), Outcome.WON, 1)))
                .isEmpty();
    }

    /** Promises odds with award 3 locked until five draws, and Bea on the blacklist. */
    private static OddsPickDetector promise(
            Mode mode, @Nullable Integer fallback, TierMode tierMode, List<Tier> tiers, @Nullable TreeDefinition tree) {
        return new OddsPickDetector(new StrategyDefinition(
                mode,
                List.of(Script.award(1, 1, 0), Script.award(2, 2, 0), Script.award(3, 3, 5)),
                false,
                fallback,
                new Blacklist(List.of(BEA), 1),
                tierMode,
                tiers,
                tree));
    }

    private static RaffleDrawn drawn(
            UserId user,
            int before,
            int beforeToday,
            List<Integer> soldOut,
            Outcome outcome,
            @Nullable Integer awardId) {
        ActivityId activity = new ActivityId(1);
        return new RaffleDrawn(
                RaffleRequestIdentity.of(new AccountId(activity, user), "draw").id(),
                activity,
                user,
                new StrategyId(1),
                1,
                1,
                before,
                beforeToday,
                soldOut,
                null,
                null,
                null,
                "00",
                outcome,
                awardId == null ? null : new Prize(awardId, "Award", AwardType.TEXT, 1, BigDecimal.ONE),
                Instant.parse("2026-03-31T04:00:00Z"));
    }
}
