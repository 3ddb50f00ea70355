package lottery.raffle;

import lottery.activity.DrawableActivity;
import lottery.api.account.AccountId;
import lottery.api.raffle.RaffleOrderId;

/**
 * A draw that is booked on its account and has to be decided.
 *
 * @param before the counts of the user's earlier draws
 */
public record DrawDecisionInput(
        AccountId account, RaffleOrderId orderId, PriorDraws before, DrawableActivity activity) {}
