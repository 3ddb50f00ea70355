package lottery.account;

import static lottery.api.Refusal.QUOTA_DAY;
import static lottery.api.Refusal.QUOTA_MONTH;
import static lottery.api.Refusal.QUOTA_TOTAL;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.LocalDate;
import lottery.api.Answer;
import lottery.api.Refusal;
import lottery.api.UserId;
import lottery.api.account.AccountEvent.AccountRecharged;
import lottery.api.account.AccountEvent.ChanceSpent;
import lottery.api.account.AccountId;
import lottery.api.account.RechargeId;
import lottery.api.activity.ActivityId;
import lottery.api.activity.Bundle;
import lottery.api.raffle.RaffleOrderId;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

@DisplayName("Chances")
class ChancesTest {

    private static final AccountId ANNS = new AccountId(new ActivityId(100), new UserId("ann"));
    private static final RaffleOrderId ORDER = RaffleOrderId.derived(ANNS, "first");
    private static final LocalDate LAST_OF_NOVEMBER = LocalDate.parse("2026-11-30");

    @Test
    @DisplayName("that nobody recharged are none")
    void noneAtFirst() {
        assertThat(refusal(Chances.NONE, LAST_OF_NOVEMBER)).isEqualTo(QUOTA_TOTAL);
    }

    @Nested
    @DisplayName("of 4 in total, 3 a month, 2 a day")
    class Granted {

        private Chances chances = recharged(Chances.NONE, new Bundle(4, 3, 2));

        @Test
        @DisplayName("are two on one day")
        void day() {
            draw(LAST_OF_NOVEMBER, 2);
            assertThat(refusal(chances, LAST_OF_NOVEMBER)).isEqualTo(QUOTA_DAY);
        }

        @Test
        @DisplayName("of the day come back the next day, those of the month do not")
        void nextDay() {
            draw(LAST_OF_NOVEMBER.minusDays(1), 2);
            draw(LAST_OF_NOVEMBER, 1);
            assertThat(refusal(chances, LAST_OF_NOVEMBER)).isEqualTo(QUOTA_MONTH);
        }

        @Test
        @DisplayName("of the month come back the next month, those of the total never")
        void nextMonth() {
            draw(LAST_OF_NOVEMBER.minusDays(1), 1);
            draw(LAST_OF_NOVEMBER, 2);
            draw(LAST_OF_NOVEMBER.plusDays(1), 1);
            assertThat(refusal(chances, LAST_OF_NOVEMBER.plusMonths(3))).isEqualTo(QUOTA_TOTAL);
        }

        @Test
        @DisplayName("grow by what a recharge brings, in total, for the month and for the day")
        void recharge() {
            draw(LAST_OF_NOVEMBER, 2);
            chances = recharged(chances, new Bundle(1, 1, 1));
            assertThat(refusal(chances, LAST_OF_NOVEMBER)).isNull();
            draw(LAST_OF_NOVEMBER, 1);
            assertThat(refusal(chances, LAST_OF_NOVEMBER)).isEqualTo(QUOTA_DAY);
        }

        private void draw(LocalDate day, int times) {
            for (int i = 0; i < times; i++) {
                assertThat(refusal(chances, day)).isNull();
                chances = chances.evolve(new ChanceSpent(ANNS.activityId(), ANNS.userId(), ORDER, day));
            }
        }
    }

    @Test
    @DisplayName("stop growing at the largest number")
    void capped() {
        Chances chances = Chances.NONE;
        for (int i = 0; i < 3_000; i++) {
            chances = recharged(chances, new Bundle(Bundle.CHANCES_MAX, 1, 1));
        }
        assertThat(chances.granted().total()).isEqualTo(Integer.MAX_VALUE);
    }

    private static Chances recharged(Chances chances, Bundle bundle) {
        return chances.evolve(
                new AccountRecharged(ANNS.activityId(), ANNS.userId(), RechargeId.of(ANNS.userId(), "r"), bundle));
    }

    private static @Nullable Refusal refusal(Chances chances, LocalDate today) {
        return switch (chances.spend(ANNS, ORDER, today)) {
            case Answer.Done<ChanceSpent> ignored -> null;
            case Answer.No<ChanceSpent> no -> no.refused().why();
        };
    }
}
