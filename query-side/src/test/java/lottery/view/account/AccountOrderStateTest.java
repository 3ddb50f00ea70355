package lottery.view.account;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.LocalDate;
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
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The outcomes of an account's orders")
class AccountOrderStateTest {

    private static final ActivityId ACTIVITY = new ActivityId(1);
    private static final UserId USER = new UserId("ann");
    private static final LocalDate MONDAY = LocalDate.parse("2026-03-30");
    private static final LocalDate TUESDAY = LocalDate.parse("2026-03-31");
    private static final RaffleOrderId FIRST = order("first");
    private static final RaffleOrderId SECOND = order("second");

    @Test
    @DisplayName("There are none before the first chance is spent.")
    void none() {
        AccountOrderState orders = AccountOrderState.NONE.evolve(
                new AccountRecharged(ACTIVITY, USER, RechargeId.of(USER, "1"), new ChanceBundle(1, 1, 1)));

        assertThat(orders).isEqualTo(new AccountOrderState(null, null, 0));
        assertThat(orders.open()).isNull();
    }

    @Test
    @DisplayName("Orders that are drawn at once count as draws of that day only.")
    void drawnAtOnce() {
        AccountOrderState monday =
                AccountOrderState.NONE.evolve(drawn(FIRST, MONDAY)).evolve(drawn(SECOND, MONDAY));

        assertThat(monday).isEqualTo(new AccountOrderState(null, MONDAY, 2));
        assertThat(monday.evolve(drawn(order("third"), TUESDAY))).isEqualTo(new AccountOrderState(null, TUESDAY, 1));
    }

    @Test
    @DisplayName("An open order is no draw, and counts on the day on which it is drawn.")
    void drawnLater() {
        AccountOrderState open =
                AccountOrderState.NONE.evolve(drawn(FIRST, MONDAY)).evolve(opened(SECOND, MONDAY));

        assertThat(open).isEqualTo(new AccountOrderState(SECOND.text(), MONDAY, 1));
        assertThat(open.open()).isEqualTo(SECOND);
        assertThat(open.evolve(new OpenOrderUsed(ACTIVITY, USER, SECOND, MONDAY)))
                .isEqualTo(new AccountOrderState(null, MONDAY, 2));
        assertThat(open.evolve(new OpenOrderUsed(ACTIVITY, USER, SECOND, TUESDAY)))
                .isEqualTo(new AccountOrderState(null, TUESDAY, 1));
    }

    @Test
    @DisplayName("A cancelled order is no longer open, and is no draw.")
    void cancelled() {
        AccountOrderState orders =
                AccountOrderState.NONE.evolve(opened(FIRST, MONDAY)).evolve(returned(FIRST));

        assertThat(orders).isEqualTo(AccountOrderState.NONE);
    }

    @Test
    @DisplayName("A draw whose chance is returned stays a draw, and closes no other order.")
    void returnedAfterTheDraw() {
        AccountOrderState orders = AccountOrderState.NONE
                .evolve(drawn(FIRST, MONDAY))
                .evolve(opened(SECOND, MONDAY))
                .evolve(returned(FIRST));

        assertThat(orders).isEqualTo(new AccountOrderState(SECOND.text(), MONDAY, 1));
    }

    private static RaffleOrderId order(String key) {
        return RaffleRequestIdentity.of(new AccountId(ACTIVITY, USER), key).id();
    }

    private static ChanceSpent drawn(RaffleOrderId order, LocalDate day) {
        return new ChanceSpent(ACTIVITY, USER, order, day, false, false);
    }

    private static ChanceSpent opened(RaffleOrderId order, LocalDate day) {
        return new ChanceSpent(ACTIVITY, USER, order, day, true, false);
    }

    private static ChanceReturned returned(RaffleOrderId order) {
        return new ChanceReturned(ACTIVITY, USER, order, MONDAY);
    }
}
