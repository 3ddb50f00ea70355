package lottery.api.person;

import lottery.api.AggregateId;
import lottery.api.UserId;
import lottery.api.UserShard;

/** The id of the erasure of a user as a person. */
public record PersonId(UserId userId) implements AggregateId {

    private static final String PREFIX = "person:";

    @Override
    public String text() {
        return PREFIX + UserShard.of(userId) + ":" + userId;
    }

    @Override
    public String toString() {
        return text();
    }
}
