package lottery.saga.desk;

import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import lottery.store.log.LogPosition;
import lottery.store.log.MergedPages;
import lottery.store.log.MergedPages.MergedItem;
import lottery.store.log.MergedPages.MergedPage;
import lottery.store.trace.Actor;
import lottery.store.trace.TraceId;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Stores the actions of operators and their reasons, for ever, each in the log in which it was decided. */
@Component
final class OperatorDecisionLog {

    private static final Duration STATEMENT_MAX = Duration.ofSeconds(5);

    private final JdbcClient database;
    private final MergedPages pages;

    OperatorDecisionLog(JdbcClient database, MergedPages pages) {
        this.database = database;
        this.pages = pages;
    }

    /**
     * An action of an operator. What aggregates do after an agreement of two persons is not here, but in their events.
     */
    enum OperatorAction {
        RETRY,
        DROP,
        RELEASE,
        INVOICE,
        SUBSTITUTE,
        RETURN_CHANCE,
        REFUND_PAYMENT,
        NOTE_REFUND
    }

    /**
     * One action of an operator.
     *
     * @param id the number of its place, a {@link LogPosition} among the decisions
     * @param subject the object of the action
     * @param reason the reason, if one is required
     * @param actor who has decided; null if callers are not authenticated
     * @param traceId the request in which it was decided
     */
    record OperatorDecision(
            long id,
            Instant at,
            OperatorAction action,
            String subject,
            @Nullable String reason,
            @Nullable String actor,
            @Nullable String traceId)
            implements MergedItem {

        @Override
        public long position() {
            return LogPosition.of(id).position();
        }
    }

    void record(OperatorAction action, String subject, @Nullable String reason) {
        record(action, subject, reason, caller());
    }

    static @Nullable String caller() {
        return Actor.current().map(Actor::name).orElse(null);
    }

    /** @param actor who has decided; null if callers are not authenticated */
    void record(OperatorAction action, String subject, @Nullable String reason, @Nullable String actor) {
        ask("INSERT INTO desk_decision (action, subject, reason, actor, trace_id)"
                        + " VALUES (:action, :subject, :reason, :actor, :trace)")
                .param("actor", actor)
                .param("trace", TraceId.current().map(TraceId::text).orElse(null))
                .param("action", action.name())
                .param("subject", subject)
                .param("reason", reason)
                .update();
    }

    /** Locks the subject until the transaction ends, against other callers of this method in all processes. */
    void lockSubject(String subject) {
        ask("SELECT pg_advisory_xact_lock(hashtextextended(:subject, 0))")
                .param("subject", subject)
                .query((row, number) -> subject)
                .single();
    }

    /** Returns how often the action was applied to the subject. */
    int count(OperatorAction action, String subject) {
        return ask("SELECT count(*) FROM desk_decision WHERE subject = :subject AND action = :action")
                .param("subject", subject)
                .param("action", action.name())
                .query(Integer.class)
                .single();
    }

    /**
     * Returns a page of decisions, the newest first.
     *
     * @throws IllegalArgumentException if the text is no cursor
     */
    MergedPage<OperatorDecision> page(@Nullable String cursor, int max) {
        return pages.read(cursor, max, this::before);
    }

    private List<OperatorDecision> before(long id, int max) {
        return ask("SELECT * FROM desk_decision WHERE id < :id ORDER BY id DESC LIMIT :max")
                .param("id", id)
                .param("max", max)
                .query((row, number) -> new OperatorDecision(
                        LogPosition.inCurrentLog(row.getLong("id")).number(),
                        row.getObject("at", OffsetDateTime.class).toInstant(),
                        OperatorAction.valueOf(row.getString("action")),
                        row.getString("subject"),
                        row.getString("reason"),
                        row.getString("actor"),
                        row.getString("trace_id")))
                .list();
    }

    private JdbcClient.StatementSpec ask(String sql) {
        return database.sql(sql).withQueryTimeout(Math.toIntExact(STATEMENT_MAX.toSeconds()));
    }
}
