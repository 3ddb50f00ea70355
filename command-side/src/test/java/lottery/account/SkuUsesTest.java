package lottery.account;

import static lottery.account.AccountFixture.LAST_MONTH;
import static lottery.account.AccountFixture.TODAY;
import static lottery.account.AccountFixture.USER;
import static lottery.account.AccountFixture.YESTERDAY;
import static lottery.account.AccountFixture.refused;
import static lottery.raffle.RaffleInMemory.ACTIVITY;
import static lottery.raffle.RaffleInMemory.BUNDLE;
import static lottery.raffle.RaffleInMemory.SKU;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.LocalDate;
import lottery.api.Answer;
import lottery.api.Refusal;
import lottery.api.account.AccountEvent.LimitedSkuTaken;
import lottery.api.account.RechargeId;
import lottery.api.activity.SkuLimit;
import lottery.api.activity.SkuLimit.Period;
import lottery.api.activity.SkuOffer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A user can have a SKU as often as its limit allows, within a day, within a month or ever.")
class SkuUsesTest {

    private static final SkuOffer TWICE_A_DAY = offer(Period.DAY);
    private static final SkuOffer TWICE_A_MONTH = offer(Period.MONTH);
    private static final SkuOffer TWICE_EVER = offer(Period.EVER);
    private static final Answer<?> REFUSED = refused(Refusal.SKU_LIMIT, SKU.toString());

    private SkuUses uses = SkuUses.NONE;

    private static SkuOffer offer(Period period) {
        return new SkuOffer(SKU, null, BUNDLE, null, null, new SkuLimit(2, period), null, null);
    }

    private void take(LocalDate day) {
        uses = uses.plus(new LimitedSkuTaken(ACTIVITY, USER, RechargeId.of(USER, "on " + day), SKU, day));
    }

    private void assertLeft(SkuOffer offer, LocalDate day) {
        assertThat(uses.requireLeft(offer, day)).isEqualTo(Answer.done(offer));
    }

    private void assertNoneLeft(SkuOffer offer, LocalDate day) {
        assertThat(uses.requireLeft(offer, day)).isEqualTo(REFUSED);
    }

    @Test
    @DisplayName("The uses of a day count until the next day.")
    void day() {
        take(YESTERDAY);
        assertLeft(TWICE_A_DAY, YESTERDAY);
        take(YESTERDAY);
        assertNoneLeft(TWICE_A_DAY, YESTERDAY);
        assertLeft(TWICE_A_DAY, TODAY);
    }

    @Test
    @DisplayName("The uses of a month count until the next month.")
    void month() {
        take(LAST_MONTH.minusDays(1));
        assertLeft(TWICE_A_MONTH, LAST_MONTH);
        take(LAST_MONTH);
        assertNoneLeft(TWICE_A_MONTH, LAST_MONTH);
        assertLeft(TWICE_A_MONTH, TODAY);
    }

    @Test
    @DisplayName("A limit for ever counts all uses.")
    void ever() {
        take(LAST_MONTH);
        assertLeft(TWICE_EVER, TODAY);
        take(YESTERDAY);
        assertNoneLeft(TWICE_EVER, TODAY.plusYears(1));
    }

    @Test
    @DisplayName("A slow clock does not give the uses of a day twice.")
    void slowClock() {
        take(TODAY);
        take(TODAY);
        assertNoneLeft(TWICE_A_DAY, YESTERDAY);
    }
}
