package lottery.api.proposal;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import lottery.api.AggregateId;
import lottery.api.ShardedUuid;

/** The id of a proposal. It follows from the action: see {@link ProposedAction#proposalId}. */
public record ProposalId(ShardedUuid key) implements AggregateId {

    private static final String PREFIX = "proposal:";

    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public static ProposalId of(String text) {
        return new ProposalId(ShardedUuid.after(PREFIX, text));
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
