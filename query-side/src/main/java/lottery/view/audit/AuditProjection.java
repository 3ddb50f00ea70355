package lottery.view.audit;

import java.time.Instant;
import lottery.api.Event;
import lottery.api.EventNames;
import lottery.api.activity.ActivityEvent;
import lottery.api.ban.BanEvent;
import lottery.api.ban.BanId;
import lottery.api.choice.TreeEvent;
import lottery.api.person.PersonEvent;
import lottery.api.person.PersonId;
import lottery.api.proposal.ProposalEvent;
import lottery.api.rebate.RebateRuleEvent;
import lottery.api.strategy.StrategyEvent;
import lottery.store.projection.Projection;
import lottery.store.trace.Actor;
import lottery.store.trace.TraceId;
import lottery.view.audit.AuditProjection.AuditColumns;
import org.axonframework.config.ProcessingGroup;
import org.axonframework.eventhandling.EventHandler;
import org.axonframework.eventhandling.SequenceNumber;
import org.axonframework.eventhandling.Timestamp;
import org.axonframework.messaging.annotation.MetaDataValue;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.stereotype.Component;

/**
 * Projects the decisions of people about activities, strategies, decision trees, rebate rules, bans, erasures and
 * proposals. Steps that the lottery takes by itself have no actor, so they have no row. Decisions at the desk are
 * stored in a table of their own.
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
    void on(
            ActivityEvent event,
            @SequenceNumber long sequence,
            @Timestamp Instant at,
            @MetaDataValue(Actor.NAME_KEY) @Nullable String actor,
            @MetaDataValue(Actor.ROLE_KEY) @Nullable String role,
            @MetaDataValue(TraceId.KEY) @Nullable String traceId) {
        note(event, event.activityId().text(), sequence, at, actor, role, traceId);
    }

    @EventHandler
    void on(
            StrategyEvent event,
            @SequenceNumber long sequence,
            @Timestamp Instant at,
            @MetaDataValue(Actor.NAME_KEY) @Nullable String actor,
            @MetaDataValue(Actor.ROLE_KEY) @Nullable String role,
            @MetaDataValue(TraceId.KEY) @Nullable String traceId) {
        note(event, event.strategyId().text(), sequence, at, actor, role, traceId);
    }

    @EventHandler
    void on(
            TreeEvent event,
            @SequenceNumber long sequence,
            @Timestamp Instant at,
            @MetaDataValue(Actor.NAME_KEY) @Nullable String actor,
            @MetaDataValue(Actor.ROLE_KEY) @Nullable String role,
            @MetaDataValue(TraceId.KEY) @Nullable String traceId) {
        note(event, event.treeId().text(), sequence, at, actor, role, traceId);
    }

    @EventHandler
    void on(
            BanEvent event,
            @SequenceNumber long sequence,
            @Timestamp Instant at,
            @MetaDataValue(Actor.NAME_KEY) @Nullable String actor,
            @MetaDataValue(Actor.ROLE_KEY) @Nullable String role,
            @MetaDataValue(TraceId.KEY) @Nullable String traceId) {
        note(event, new BanId(event.userId()).text(), sequence, at, actor, role, traceId);
    }

    @EventHandler
    void on(
            PersonEvent event,
            @SequenceNumber long sequence,
            @Timestamp Instant at,
            @MetaDataValue(Actor.NAME_KEY) @Nullable String actor,
            @MetaDataValue(Actor.ROLE_KEY) @Nullable String role,
            @MetaDataValue(TraceId.KEY) @Nullable String traceId) {
        note(event, new PersonId(event.userId()).text(), sequence, at, actor, role, traceId);
    }

    @EventHandler
    void on(
            RebateRuleEvent event,
            @SequenceNumber long sequence,
            @Timestamp Instant at,
            @MetaDataValue(Actor.NAME_KEY) @Nullable String actor,
            @MetaDataValue(Actor.ROLE_KEY) @Nullable String role,
            @MetaDataValue(TraceId.KEY) @Nullable String traceId) {
        note(event, event.ruleId().text(), sequence, at, actor, role, traceId);
    }

    @EventHandler
    void on(
            ProposalEvent event,
            @SequenceNumber long sequence,
            @Timestamp Instant at,
            @MetaDataValue(Actor.NAME_KEY) @Nullable String actor,
            @MetaDataValue(Actor.ROLE_KEY) @Nullable String role,
            @MetaDataValue(TraceId.KEY) @Nullable String traceId) {
        note(event, event.proposalId().text(), sequence, at, actor, role, traceId);
    }

    private void note(
            Event event,
            String subject,
            long sequence,
            Instant at,
            @Nullable String actor,
            @Nullable String role,
            @Nullable String traceId) {
        if (actor != null) {
            String type = EventNames.nameOf(event.getClass());
            writeFirst(new AuditKey(subject, sequence), new AuditColumns(type, actor, role, traceId, at));
        }
    }
}
