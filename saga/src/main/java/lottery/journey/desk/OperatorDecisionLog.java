package lottery.journey.desk;

import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Stores what operators did, and why, for as long as there is a database. */
@Component
final class OperatorDecisionLog {

    private static final Duration STATEMENT_MAX = Duration.ofSeconds(5);

    private final JdbcClient database;

    OperatorDecisionLog(JdbcClient database) {
        this.database = database;
    }

    enum OperatorAction {
        RETRY,
        DROP,
        RELEASE,
        INVOICE,
        SUBSTITUTE,
        RETURN_CHANCE
    }

    /**
     * One thing that was done.
     *
     * @param subject what it was done to
     * @param reason why, where that was asked for
     */
    record OperatorDecision(
            long id,
            Instant at,
            OperatorAction action,
            String subject,
            @Nullable String reason) {}

    void keep(OperatorAction action, String subject, @Nullable String reason) {
        ask("INSERT INTO desk_decision (action, subject, reason) VALUES (:action, :subject, :reason)")
                .param("action", action.name())
                .param("subject", subject)
                .param("reason", reason)
                .update();
    }

    /** Until the transaction ends, nobody else who asks for a turn decides about this, in whichever process. */
    void awaitTurn(String subject) {
        ask("SELECT pg_advisory_xact_lock(hashtextextended(:subject, 0))")
                .param("subject", subject)
                .query((row, number) -> subject)
                .single();
    }

    /** How often that was done to it. */
    int count(OperatorAction action, String subject) {
        return ask("SELECT count(*) FROM desk_decision WHERE subject = :subject AND action = :action")
                .param("subject", subject)
                .param("action", action.name())
                .query(Integer.class)
                .single();
    }

    /** The newest first. */
    List<OperatorDecision> before(long id, int max) {
        return ask("SELECT * FROM desk_decision WHERE id < :id ORDER BY id DESC LIMIT :max")
                .param("id", id)
                .param("max", max)
                .query((row, number) -> new OperatorDecision(
                        row.getLong("id"),
                        row.getObject("at", OffsetDateTime.class).toInstant(),
                        OperatorAction.valueOf(row.getString("action")),
                        row.getString("subject"),
                        row.getString("reason")))
                .list();
    }

    private JdbcClient.StatementSpec ask(String sql) {
        return database.sql(sql).withQueryTimeout(Math.toIntExact(STATEMENT_MAX.toSeconds()));
    }
}
