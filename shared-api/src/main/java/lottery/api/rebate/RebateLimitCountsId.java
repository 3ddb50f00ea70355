package lottery.api.rebate;

import lottery.api.AggregateId;
import lottery.api.Shard;
import lottery.api.UserId;

/** The id of the counts of one user's rebates, by which rules are limited. */
public record RebateLimitCountsId(UserId userId) implements AggregateId {

    @Override
    public String text() {
        return "rebates:" + Shard.of(userId) + ":" + userId;
    }

    @Override
    public String toString() {
        return text();
    }
}
