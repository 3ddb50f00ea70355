package lottery.api.ban;

import lottery.api.AggregateId;
import lottery.api.UserId;
import lottery.api.UserShard;

/** The id of the ban of a user; each user has at most one at a time. */
public record BanId(UserId userId) implements AggregateId {

    /** The beginning of the ids of all bans. */
    public static final String PREFIX = "ban:";

    @Override
    public String text() {
        return PREFIX + UserShard.of(userId) + ":" + userId;
    }

    @Override
    public String toString() {
        return text();
    }
}
