package lottery.api.rebate;

import lottery.api.AggregateId;
import lottery.api.UserId;
import lottery.api.UserShard;

/** The id of the counts of one user's rebates, by which rules are limited. */
public record RebateLimitCountsId(UserId userId) implements AggregateId {

    @Override
    public String text() {
        return "rebates:" + UserShard.of(userId) + ":" + userId;
    }

    @Override
    public String toString() {
        return text();
    }
}
