package lottery.view.account;

import jakarta.persistence.Embeddable;
import java.time.LocalDate;
import lottery.api.account.AccountEvent;
import lottery.api.account.AccountEvent.AccountOpened;
import lottery.api.account.AccountEvent.AccountRecharged;
import lottery.api.account.AccountEvent.ChanceReturned;
import lottery.api.account.AccountEvent.ChanceSpent;
import lottery.api.account.AccountEvent.LimitedAwardWon;
import lottery.api.account.AccountEvent.LimitedSkuTaken;
import lottery.api.account.AccountEvent.OpenOrderUsed;
import lottery.api.raffle.RaffleOrderId;
import org.jspecify.annotations.Nullable;

/**
 * The orders of one account, as far as they are open or count as draws. An order counts as a draw on the day on which
 * it is drawn, even if its chance was spent on an earlier day. If the chance of a draw is given back later, the draw
 * still counts.
 *
 * @param openOrderId the order that is not drawn yet; null if there is none
 * @param drawnOn the last day on which an order was drawn
 * @param dayDraws how many orders were drawn on that day
 */
@Embeddable
record AccountOrderState(
        @Nullable String openOrderId, @Nullable LocalDate drawnOn, int dayDraws) {

    static final AccountOrderState NONE = new AccountOrderState(null, null, 0);

    AccountOrderState evolve(AccountEvent event) {
        return switch (event) {
            case AccountOpened _, AccountRecharged _, LimitedAwardWon _, LimitedSkuTaken _ -> this;
            case ChanceSpent spent
            when spent.open() -> new AccountOrderState(spent.orderId().text(), drawnOn, dayDraws);
            case ChanceSpent spent -> drawn(spent.day());
            case OpenOrderUsed used -> without(used.orderId()).drawn(used.day());
            case ChanceReturned returned -> without(returned.orderId());
        };
    }

    private AccountOrderState drawn(LocalDate day) {
        return new AccountOrderState(openOrderId, day, day.equals(drawnOn) ? dayDraws + 1 : 1);
    }

    /**
     * Returns this state without the open order, if the open order has this id. The id can also be that of another
     * order: the chance of an order that is already drawn may be given back while a newer order is open.
     */
    private AccountOrderState without(RaffleOrderId orderId) {
        return orderId.text().equals(openOrderId) ? new AccountOrderState(null, drawnOn, dayDraws) : this;
    }

    @Nullable
    RaffleOrderId open() {
        return openOrderId == null ? null : RaffleOrderId.of(openOrderId);
    }
}
