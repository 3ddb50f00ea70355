package lottery.api.signin;

import lottery.api.AggregateId;
import lottery.api.UserId;
import lottery.api.UserShard;

/** The id of the sign-ins of a user. */
public record SignInsId(UserId userId) implements AggregateId {

    @Override
    public String text() {
        return "sign-in:" + UserShard.of(userId) + ":" + userId;
    }

    @Override
    public String toString() {
        return text();
    }
}
