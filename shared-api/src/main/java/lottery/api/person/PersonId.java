package lottery.api.person;

import lottery.api.AggregateId;
import lottery.api.Shard;
import lottery.api.UserId;

/** The id of what is decided about a user as a person. */
public record PersonId(UserId userId) implements AggregateId {

    private static final String PREFIX = "person:";

    @Override
    public String text() {
        return PREFIX + Shard.of(userId) + ":" + userId;
    }

    @Override
    public String toString() {
        return text();
    }
}
