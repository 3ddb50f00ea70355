package lottery.api.credit;

import lottery.api.AggregateId;
import lottery.api.UserId;
import lottery.api.UserShard;

/** The id of a user's credit account, one for all activities. */
public record CreditAccountId(UserId userId) implements AggregateId {

    @Override
    public String text() {
        return "credit:" + UserShard.of(userId) + ":" + userId;
    }

    /** Returns the reference of a booking: the account, and the number of the entry in it. */
    public String reference(long entry) {
        return this + "#" + entry;
    }

    @Override
    public String toString() {
        return text();
    }
}
