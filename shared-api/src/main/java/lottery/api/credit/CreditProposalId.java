package lottery.api.credit;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import lottery.api.AggregateId;
import lottery.api.ShardedUuid;
import lottery.api.UserId;

/**
 * The id of a proposed booking. It follows from the user and the business number, so that each number is proposed once.
 */
public record CreditProposalId(ShardedUuid key) implements AggregateId {

    private static final String PREFIX = "proposal:";

    public static CreditProposalId of(UserId user, String businessNo) {
        return new CreditProposalId(ShardedUuid.derived(user, "credits", businessNo));
    }

    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public static CreditProposalId of(String text) {
        return new CreditProposalId(ShardedUuid.after(PREFIX, text));
    }

    @Override
    @JsonValue
    public String text() {
        return PREFIX + key;
    }

    @Override
    public String toString() {
        return text();
    }
}
