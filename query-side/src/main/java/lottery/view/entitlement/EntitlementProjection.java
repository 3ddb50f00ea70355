package lottery.view.entitlement;

import java.time.Instant;
import lottery.api.entitlement.EntitlementEvent;
import lottery.api.entitlement.EntitlementEvent.EntitlementGranted;
import lottery.api.entitlement.EntitlementEvent.EntitlementRevoked;
import lottery.store.projection.Projection;
import lottery.view.entitlement.EntitlementProjection.EntitlementColumns;
import lottery.view.entitlement.EntitlementProjection.EntitlementKey;
import org.axonframework.config.ProcessingGroup;
import org.axonframework.eventhandling.EventHandler;
import org.axonframework.eventhandling.Timestamp;
import org.axonframework.eventhandling.TrackingToken;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.stereotype.Component;

/** Keeps a row for each content that a user may read. The row goes with the last source of the entitlement. */
@Component
@ProcessingGroup(EntitlementProjection.GROUP)
class EntitlementProjection extends Projection<EntitlementKey, EntitlementColumns> {

    static final String GROUP = "entitlements";

    static final String TABLE = "view_entitlement";

    record EntitlementKey(String userId, String contentId) {

        static EntitlementKey of(EntitlementEvent event) {
            return new EntitlementKey(event.userId().value(), event.contentId().value());
        }
    }

    /**
     * The columns of a row besides its key.
     *
     * @param firstPosition the position of the event that granted it, by which entitlements are listed
     */
    record EntitlementColumns(long firstPosition, Instant grantedAt) {}

    EntitlementProjection(JdbcOperations database) {
        super(database, TABLE, EntitlementKey.class, EntitlementColumns.class);
    }

    @EventHandler
    void on(EntitlementEvent event, TrackingToken token, @Timestamp Instant at) {
        switch (event) {
            case EntitlementGranted granted
            when granted.first() ->
                change(
                        EntitlementKey.of(event),
                        _ -> new EntitlementColumns(token.position().orElseThrow(), at));
            case EntitlementRevoked revoked when revoked.last() -> change(EntitlementKey.of(event), _ -> null);
            case EntitlementEvent _ -> {
                // The user keeps the entitlement by another source.
            }
        }
    }
}
