package lottery.view.audit;

import java.time.Instant;
import lottery.api.EventNames;
import lottery.api.EventOfDecision;
import lottery.store.projection.Projection;
import lottery.store.trace.Actor;
import lottery.store.trace.TraceId;
import lottery.view.audit.AuditProjection.AuditColumns;
import org.axonframework.config.ProcessingGroup;
import org.axonframework.eventhandling.DomainEventMessage;
import org.axonframework.eventhandling.EventHandler;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.stereotype.Component;

/**
 * Projects the decisions of people about activities, strategies, decision trees, rebate rules, bans, erasures and
 * proposals. Steps that the lottery takes by itself have no actor, so they have no row. What one person of the desk
 * decides alone is stored in a table of its own.
 */
@Component
@ProcessingGroup("audit")
class AuditProjection extends Projection<AuditKey, AuditColumns> {

    /** The columns of a decision's row besides its key. */
    record AuditColumns(
            String type,
            String actor,
            @Nullable String role,
            @Nullable String traceId,
            Instant at) {}

    AuditProjection(JdbcOperations database) {
        super(database, "view_audit", AuditKey.class, AuditColumns.class);
    }

    @EventHandler
    void on(EventOfDecision event, DomainEventMessage<?> message) {
        Actor.nameIn(message)
                .ifPresent(actor -> writeFirst(
                        new AuditKey(message.getAggregateIdentifier(), message.getSequenceNumber()),
                        new AuditColumns(
                                EventNames.nameOf(event.getClass()),
                                actor,
                                (String) message.getMetaData().get(Actor.ROLE_KEY),
                                (String) message.getMetaData().get(TraceId.KEY),
                                message.getTimestamp())));
    }
}
