package lottery.messaging.feed;

import lottery.api.UserId;
import lottery.api.entitlement.ContentId;
import lottery.api.entitlement.EntitlementId;

/** Messages about content that a user may read, or may read no longer. */
sealed interface EntitlementFeedMessage extends FeedMessage {

    UserId userId();

    ContentId contentId();

    @Override
    default String key() {
        return userId().value();
    }

    @Override
    default String subject() {
        return EntitlementId.of(userId(), contentId()).text();
    }

    /**
     * A user may read content, and could not before.
     *
     * @param source the id of the recharge or of the award record that gave it
     */
    @CloudEventType("lottery.entitlement.granted.v1")
    record Granted(UserId userId, ContentId contentId, String source) implements EntitlementFeedMessage {}

    /**
     * A user may read content no longer, because its money is given back.
     *
     * @param source the id of the recharge whose money is given back
     */
    @CloudEventType("lottery.entitlement.revoked.v1")
    record Revoked(UserId userId, ContentId contentId, String source) implements EntitlementFeedMessage {}
}
