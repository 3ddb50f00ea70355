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
 * The outcomes of the orders that chances were spent for. An order counts as a draw on the day on which it is drawn,
 * whenever its chance was spent. A draw still counts even if its chance is given back.
 *
 * @param openOrderId the order that is not drawn yet
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
     * Removes the open order, if it has this id. The chance of a drawn order may be given back while another order is
     * open.
     */
    private AccountOrderState without(RaffleOrderId orderId) {
        return orderId.text().equals(openOrderId) ? new AccountOrderState(null, drawnOn, dayDraws) : this;
    }

    @Nullable
    RaffleOrderId open() {
        return openOrderId == null ? null : RaffleOrderId.of(openOrderId);
    }
}
