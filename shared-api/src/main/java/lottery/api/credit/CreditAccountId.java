package lottery.api.credit;

import lottery.api.AggregateId;
import lottery.api.Shard;
import lottery.api.UserId;

/** The id of a user's credit account, one for all activities. */
public record CreditAccountId(UserId userId) implements AggregateId {

    @Override
    public String text() {
        return "credit:" + Shard.of(userId) + ":" + userId;
    }

    @Override
    public String toString() {
        return text();
    }
}
