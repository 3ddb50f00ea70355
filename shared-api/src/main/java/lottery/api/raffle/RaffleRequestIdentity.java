package lottery.api.raffle;

import java.time.Instant;
import java.util.random.RandomGenerator;
import lottery.api.account.AccountId;

/**
 * A request for an order, or for a change of an order. The same account and idempotency key always give the same
 * request. The request has the same id as the order that it makes. An id can be used once, so a repeated request is
 * recognized.
 *
 * @param repeatable whether the request came with a key, so that it can be repeated
 */
public record RaffleRequestIdentity(RaffleOrderId id, boolean repeatable) {

    public static RaffleRequestIdentity of(AccountId account, String idempotencyKey) {
        return new RaffleRequestIdentity(RaffleOrderId.derived(account, idempotencyKey), true);
    }

    public static RaffleRequestIdentity fresh(AccountId account, Instant now, RandomGenerator random) {
        return new RaffleRequestIdentity(RaffleOrderId.fresh(account, now, random), false);
    }

    /** Returns the id of the order of one of the draws that one request asked for. */
    public RaffleOrderId order(AccountId account, int number) {
        return RaffleOrderId.derived(account, id.text(), Integer.toString(number));
    }
}
