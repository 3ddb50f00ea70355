package lottery.entitlement;

import static org.axonframework.modelling.command.AggregateLifecycle.apply;

import java.util.HashSet;
import java.util.Set;
import lottery.api.UserId;
import lottery.api.entitlement.ContentId;
import lottery.api.entitlement.EntitlementEvent;
import lottery.api.entitlement.EntitlementEvent.EntitlementGranted;
import lottery.api.entitlement.EntitlementEvent.EntitlementRevoked;
import lottery.api.entitlement.EntitlementId;
import org.axonframework.eventsourcing.EventSourcingHandler;
import org.axonframework.modelling.command.AggregateIdentifier;
import org.axonframework.serialization.Revision;
import org.axonframework.spring.stereotype.Aggregate;
import org.jspecify.annotations.Nullable;

/**
 * A user's entitlement to one content. It changes only in the commit of the recharge, award or refund that changes it.
 */
@Aggregate(
        type = "entitlement",
        snapshotTriggerDefinition = "userSnapshots",
        commandTargetResolver = "commandTargets",
        lockFactory = "aggregateLocks")
// The revision of its snapshots. Snapshots of another revision are not used.
@Revision("1")
class Entitlement {

    @AggregateIdentifier
    @SuppressWarnings("unused") // Axon reads it.
    private @Nullable String id;

    /** The ids of the recharges and award records that gave the content. */
    private Set<String> sources = new HashSet<>();

    Entitlement() {}

    /** Adds a source, unless it is known. */
    void grant(UserId user, ContentId contentId, String source) {
        if (!sources.contains(source)) {
            apply(new EntitlementGranted(user, contentId, source, sources.isEmpty()));
        }
    }

    /** Takes a source away, if it is known. */
    void revoke(UserId user, ContentId contentId, String source) {
        if (sources.contains(source)) {
            apply(new EntitlementRevoked(user, contentId, source, sources.size() == 1));
        }
    }

    @EventSourcingHandler
    void on(EntitlementEvent event) {
        id = EntitlementId.of(event.userId(), event.contentId()).text();
        switch (event) {
            case EntitlementGranted granted -> sources.add(granted.source());
            case EntitlementRevoked revoked -> sources.remove(revoked.source());
        }
    }
}
