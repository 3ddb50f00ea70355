package lottery.view.figures;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import lottery.api.UserId;
import lottery.api.account.AccountEvent.AccountOpened;
import lottery.api.account.AccountEvent.AccountRecharged;
import lottery.api.account.AccountEvent.ChanceReturned;
import lottery.api.account.AccountEvent.ChanceSpent;
import lottery.api.account.AccountEvent.LimitedAwardWon;
import lottery.api.account.AccountEvent.OpenOrderUsed;
import lottery.api.account.AccountId;
import lottery.api.account.RechargeId;
import lottery.api.activity.ActivityId;
import lottery.api.activity.ChanceBundle;
import lottery.api.raffle.Outcome;
import lottery.api.raffle.RaffleEvent.EntryMade;
import lottery.api.raffle.RaffleEvent.RaffleDrawn;
import lottery.api.raffle.RaffleOrderId;
import lottery.api.raffle.RaffleRequestIdentity;
import lottery.api.strategy.StrategyId;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("The counts of figures")
class FigureCountsTest {

    private static final ActivityId SPRING = new ActivityId(1);
    private static final UserId ANN = new UserId("ann");
    private static final LocalDate DAY = LocalDate.parse("2026-03-31");
    private static final ChanceBundle BUNDLE = new ChanceBundle(5, 4, 3);

    private final RaffleOrderId order =
            RaffleRequestIdentity.of(new AccountId(SPRING, ANN), "key").id();

    @ParameterizedTest
    @CsvSource({"0,0,1,1", "7,0,1,0", "7,2,0,0"})
    @DisplayName("A draw counts its user if it is the first one of the day, and of the activity.")
    void players(int before, int beforeToday, int players, int newPlayers) {
        RaffleDrawn drawn = new RaffleDrawn(
                order,
                SPRING,
                ANN,
                new StrategyId(1),
                1,
                1,
                before,
                beforeToday,
                List.of(),
                null,
                null,
                null,
                "00",
                Outcome.NOTHING,
                null,
                Instant.EPOCH);

        assertThat(FigureCounts.of(drawn, new BigDecimal("1.5")))
                .isEqualTo(new FigureCounts(1, 0, players, newPlayers, new BigDecimal("1.5"), 0, 0, 0, 0));
    }

    @ParameterizedTest
    @CsvSource({"0,0,1,1", "7,0,1,0", "7,2,0,0"})
    @DisplayName("An entry counts its user as a draw does.")
    void entrants(int before, int beforeToday, int players, int newPlayers) {
        EntryMade entry = new EntryMade(order, SPRING, ANN, DAY, false, before, beforeToday, Instant.EPOCH);

        assertThat(FigureCounts.of(entry))
                .isEqualTo(new FigureCounts(0, 1, players, newPlayers, BigDecimal.ZERO, 0, 0, 0, 0));
        assertThat(FigureCounts.ofPoolWin(BigDecimal.TEN))
                .isEqualTo(new FigureCounts(1, 0, 0, 0, BigDecimal.TEN, 0, 0, 0, 0));
    }

    @Test
    @DisplayName("Chances count as given, spent and returned; other events count as nothing.")
    void chances() {
        assertThat(FigureCounts.of(new AccountOpened(SPRING, ANN, BUNDLE)).free())
                .isEqualTo(5);
        assertThat(FigureCounts.of(new AccountRecharged(SPRING, ANN, RechargeId.of(ANN, "b"), BUNDLE))
                        .recharged())
                .isEqualTo(5);
        assertThat(FigureCounts.of(new ChanceSpent(SPRING, ANN, order, DAY, true, false))
                        .spent())
                .isEqualTo(1);
        assertThat(FigureCounts.of(new ChanceReturned(SPRING, ANN, order, DAY)).returned())
                .isEqualTo(1);
        assertThat(FigureCounts.of(new OpenOrderUsed(SPRING, ANN, order, DAY))).isEqualTo(FigureCounts.NONE);
        assertThat(FigureCounts.of(new LimitedAwardWon(SPRING, ANN, order, 7))).isEqualTo(FigureCounts.NONE);
    }

    @Test
    @DisplayName("Counts add up, each with its own.")
    void sum() {
        FigureCounts some = new FigureCounts(1, 8, 2, 3, new BigDecimal("0.5"), 4, 5, 6, 7);

        assertThat(some.plus(some)).isEqualTo(new FigureCounts(2, 16, 4, 6, new BigDecimal("1.0"), 8, 10, 12, 14));
        assertThat(FigureCounts.NONE.plus(some).equals(some)).isTrue();
    }
}
