package lottery.api.entitlement;

import lottery.api.AggregateId;
import lottery.api.ShardedUuid;
import lottery.api.UserId;

/** The id of a user's entitlement to one content, derived from both. */
public record EntitlementId(ShardedUuid key) implements AggregateId {

    private static final String PREFIX = "entitlement:";

    public static EntitlementId of(UserId user, ContentId contentId) {
        return new EntitlementId(ShardedUuid.derived(user, PREFIX, contentId.value()));
    }

    @Override
    public String text() {
        return PREFIX + key;
    }

    @Override
    public String toString() {
        return text();
    }
}
