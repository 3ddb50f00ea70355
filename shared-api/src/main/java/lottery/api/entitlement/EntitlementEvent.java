package lottery.api.entitlement;

import lottery.api.EventName;
import lottery.api.EventOfUser;
import lottery.api.UserId;

/**
 * The events of a user's entitlement to one content. It has a source for each recharge or award that gave the content.
 * The user may read the content while one source is left.
 */
public sealed interface EntitlementEvent extends EventOfUser {

    ContentId contentId();

    String source();

    /**
     * The entitlement was given, or got one more source.
     *
     * @param source the id of the recharge or of the award record
     * @param first whether the user had no entitlement before
     */
    @EventName("entitlement.granted")
    record EntitlementGranted(UserId userId, ContentId contentId, String source, boolean first)
            implements EntitlementEvent {}

    /**
     * A source was taken away, because its money is given back.
     *
     * @param source the id of the recharge
     * @param last whether the user has no entitlement after it
     */
    @EventName("entitlement.revoked")
    record EntitlementRevoked(UserId userId, ContentId contentId, String source, boolean last)
            implements EntitlementEvent {}
}
