package lottery.raffle;

import lottery.activity.OpenActivity;
import lottery.api.account.AccountId;
import lottery.api.raffle.RaffleOrderId;

/**
 * A draw that is booked on its account and has to be decided.
 *
 * @param before the draws of its user before this one
 */
public record DrawDecisionInput(AccountId account, RaffleOrderId orderId, PriorDraws before, OpenActivity activity) {}
