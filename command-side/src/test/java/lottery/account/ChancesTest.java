package lottery.account;

import static lottery.api.Refusal.CANCELLATION_LIMIT;
import static lottery.api.Refusal.QUOTA_DAY;
import static lottery.api.Refusal.QUOTA_MONTH;
import static lottery.api.Refusal.QUOTA_TOTAL;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.LocalDate;
import java.time.YearMonth;
import lottery.api.Answer;
import lottery.api.Refusal;
import lottery.api.Refused;
import lottery.api.UserId;
import lottery.api.account.AccountEvent.AccountRecharged;
import lottery.api.account.AccountEvent.ChanceReturned;
import lottery.api.account.AccountEvent.ChanceSpent;
import lottery.api.account.AccountEvent.OpenOrderUsed;
import lottery.api.account.AccountId;
import lottery.api.account.RechargeId;
import lottery.api.activity.ActivityId;
import lottery.api.activity.ChanceBundle;
import lottery.api.raffle.RaffleOrderId;
import lottery.api.raffle.RaffleRequestIdentity;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

@DisplayName("Chances")
class ChancesTest {

    private static final AccountId ANNS = new AccountId(new ActivityId(100), new UserId("ann"));
    private static final RaffleOrderId ORDER =
            RaffleRequestIdentity.of(ANNS, "first").id();
    private static final LocalDate LAST_OF_NOVEMBER = LocalDate.parse("2026-11-30");

    @Test
    @DisplayName("Without a recharge there are no chances.")
    void noneAtFirst() {
        assertThat(refusal(Chances.NONE, LAST_OF_NOVEMBER)).isEqualTo(QUOTA_TOTAL);
    }

    @Nested
    @DisplayName("Chances of 4 in total, 3 a month and 2 a day")
    class GrantedBundle {

        private Chances chances = recharged(Chances.NONE, new ChanceBundle(4, 3, 2));

        @Test
        @DisplayName("Two chances can be spent on one day.")
        void day() {
            draw(LAST_OF_NOVEMBER, 2);
            assertThat(refusal(chances, LAST_OF_NOVEMBER)).isEqualTo(QUOTA_DAY);
        }

        @Test
        @DisplayName("The chances of the day come back the next day, those of the month do not.")
        void nextDay() {
            draw(LAST_OF_NOVEMBER.minusDays(1), 2);
            draw(LAST_OF_NOVEMBER, 1);
            assertThat(refusal(chances, LAST_OF_NOVEMBER)).isEqualTo(QUOTA_MONTH);
        }

        @Test
        @DisplayName("The chances of the month come back the next month, those of the total never.")
        void nextMonth() {
            draw(LAST_OF_NOVEMBER.minusDays(1), 1);
            draw(LAST_OF_NOVEMBER, 2);
            draw(LAST_OF_NOVEMBER.plusDays(1), 1);
            assertThat(refusal(chances, LAST_OF_NOVEMBER.plusMonths(3))).isEqualTo(QUOTA_TOTAL);
        }

        @Test
        @DisplayName("A recharge adds to the chances in total, for the month and for the day.")
        void recharge() {
            draw(LAST_OF_NOVEMBER, 2);
            chances = recharged(chances, new ChanceBundle(1, 1, 1));
            assertThat(refusal(chances, LAST_OF_NOVEMBER)).isNull();
            draw(LAST_OF_NOVEMBER, 1);
            assertThat(refusal(chances, LAST_OF_NOVEMBER)).isEqualTo(QUOTA_DAY);
        }

        private void draw(LocalDate day, int times) {
            for (int i = 0; i < times; i++) {
                assertThat(refusal(chances, day)).isNull();
                chances = chances.evolve(spent(ORDER, day, false));
            }
        }
    }

    @Nested
    @DisplayName("A chance that was spent on an open order")
    class WithOpenOrder {

        private static final LocalDate NEXT_DAY = LAST_OF_NOVEMBER.plusDays(1);

        private final Chances chances =
                recharged(Chances.NONE, new ChanceBundle(4, 3, 1)).evolve(spent(ORDER, LAST_OF_NOVEMBER, true));

        @Test
        @DisplayName("An open order has cost a chance, and is no draw.")
        void spentNotDrawn() {
            assertThat(refusal(chances, LAST_OF_NOVEMBER)).isEqualTo(QUOTA_DAY);
            assertThat(chances.isOpen(ORDER)).isTrue();
            assertThat(chances.drawn().total()).isZero();
        }

        @Test
        @DisplayName("A draw counts on its own day, and the chance on the day on which it was spent.")
        void drawnTheNextDay() {
            Chances drawn = chances.evolve(new OpenOrderUsed(ANNS.activityId(), ANNS.userId(), ORDER, NEXT_DAY));
            assertThat(drawn.isOpen(ORDER)).isFalse();
            assertThat(drawn.drawn().on(NEXT_DAY)).isEqualTo(1);
            assertThat(drawn.spent().on(NEXT_DAY)).isZero();
            assertThat(refusal(drawn, NEXT_DAY)).isNull();
        }

        @Test
        @DisplayName("A cancelled order gives its chance back completely.")
        void cancelled() {
            Chances returned = chances.evolve(returned(ORDER, LAST_OF_NOVEMBER));
            assertThat(returned.isOpen(ORDER)).isFalse();
            assertThat(returned.spent().total()).isZero();
            assertThat(returned.spent().in(YearMonth.from(LAST_OF_NOVEMBER))).isZero();
            assertThat(refusal(returned, LAST_OF_NOVEMBER)).isNull();
        }

        @Test
        @DisplayName("A later cancellation takes nothing from the count of another day or month.")
        void cancelledLater() {
            Chances later = chances.evolve(new OpenOrderUsed(ANNS.activityId(), ANNS.userId(), ORDER, NEXT_DAY))
                    .evolve(spent(ORDER, NEXT_DAY, false))
                    .evolve(returned(ORDER, LAST_OF_NOVEMBER));
            assertThat(later.spent().total()).isEqualTo(1);
            assertThat(later.spent().in(YearMonth.from(NEXT_DAY))).isEqualTo(1);
            assertThat(later.spent().on(NEXT_DAY)).isEqualTo(1);
        }
    }

    @Test
    @DisplayName("A slow clock does not give the chances of a day twice.")
    void lateClock() {
        Chances chances = recharged(Chances.NONE, new ChanceBundle(9, 9, 1));
        LocalDate nextDay = LAST_OF_NOVEMBER.plusDays(1);
        chances = chances.evolve(spent(ORDER, LAST_OF_NOVEMBER, false)).evolve(spent(ORDER, nextDay, false));
        assertThat(chances.today(LAST_OF_NOVEMBER)).isEqualTo(nextDay);
        assertThat(refusal(chances, chances.today(LAST_OF_NOVEMBER))).isEqualTo(QUOTA_DAY);
    }

    private static ChanceSpent spent(RaffleOrderId order, LocalDate day, boolean open) {
        return new ChanceSpent(ANNS.activityId(), ANNS.userId(), order, day, open, false);
    }

    @Nested
    @DisplayName("With as many orders of one day cancelled as the limit allows")
    class WithCancelledOrders {

        private static final LocalDate NEXT_DAY = LAST_OF_NOVEMBER.plusDays(1);

        private final Chances most = cancel(Chances.CANCELLED_PER_DAY_MAX - 1);
        private final Chances all = cancel(Chances.CANCELLED_PER_DAY_MAX);

        private Chances cancel(int times) {
            Chances chances = recharged(Chances.NONE, new ChanceBundle(9, 9, 9));
            for (int i = 0; i < times; i++) {
                chances =
                        chances.evolve(spent(ORDER, LAST_OF_NOVEMBER, true)).evolve(returned(ORDER, LAST_OF_NOVEMBER));
            }
            return chances;
        }

        @Test
        @DisplayName("No other order can be taken that day.")
        void refused() {
            assertThat(most.requireFewCancelled(ANNS, LAST_OF_NOVEMBER)).isEqualTo(Answer.done(most));
            assertThat(all.requireFewCancelled(ANNS, LAST_OF_NOVEMBER))
                    .isEqualTo(Answer.no(new Refused(CANCELLATION_LIMIT, ANNS.text())));
        }

        @Test
        @DisplayName("The next day, orders can be taken again.")
        void nextDay() {
            assertThat(all.requireFewCancelled(ANNS, NEXT_DAY)).isEqualTo(Answer.done(all));
        }

        @Test
        @DisplayName("A slow clock does not bring the next day back.")
        void slowClock() {
            Chances later = all.evolve(spent(ORDER, NEXT_DAY, false));
            assertThat(later.requireFewCancelled(ANNS, LAST_OF_NOVEMBER)).isEqualTo(Answer.done(later));
        }

        @Test
        @DisplayName("An order counts on the day on which it was taken, whenever it is cancelled.")
        void takenTheDayBefore() {
            Chances open = most.evolve(spent(ORDER, LAST_OF_NOVEMBER, true));
            Chances cancelled = open.evolve(returned(ORDER, LAST_OF_NOVEMBER));
            assertThat(cancelled.cancelled().on(LAST_OF_NOVEMBER)).isEqualTo(Chances.CANCELLED_PER_DAY_MAX);
            assertThat(cancelled.cancelled().on(NEXT_DAY)).isZero();
        }

        @Test
        @DisplayName("The chance is there, and can be spent on a draw.")
        void drawsAreFree() {
            assertThat(refusal(all, LAST_OF_NOVEMBER)).isNull();
            assertThat(all.spent().total()).isZero();
        }
    }

    @Test
    @DisplayName("A chance that is returned for a draw or an entry is no cancelled order.")
    void returnedDraw() {
        Chances chances = recharged(Chances.NONE, new ChanceBundle(9, 9, 9))
                .evolve(spent(ORDER, LAST_OF_NOVEMBER, false))
                .evolve(returned(ORDER, LAST_OF_NOVEMBER));
        assertThat(chances.cancelled().total()).isZero();
    }

    private static ChanceReturned returned(RaffleOrderId order, LocalDate day) {
        return new ChanceReturned(ANNS.activityId(), ANNS.userId(), order, day);
    }

    @Test
    @DisplayName("Chances stop growing at the largest number.")
    void capped() {
        Chances chances = Chances.NONE;
        for (int i = 0; i < 3_000; i++) {
            chances = recharged(chances, new ChanceBundle(ChanceBundle.CHANCES_MAX, 1, 1));
        }
        assertThat(chances.granted().total()).isEqualTo(Integer.MAX_VALUE);
    }

    private static Chances recharged(Chances chances, ChanceBundle bundle) {
        return chances.evolve(
                new AccountRecharged(ANNS.activityId(), ANNS.userId(), RechargeId.of(ANNS.userId(), "r"), bundle));
    }

    private static @Nullable Refusal refusal(Chances chances, LocalDate today) {
        return switch (chances.requireChance(ANNS, today)) {
            case Answer.Done<Chances> ignored -> null;
            case Answer.No<Chances> no -> no.refused().why();
        };
    }
}
