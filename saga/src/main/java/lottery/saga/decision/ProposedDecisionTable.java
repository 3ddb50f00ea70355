package lottery.saga.decision;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Collection;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Stores decisions that wait for a second person, one for each subject. An expired decision is treated as deleted. */
@Component
final class ProposedDecisionTable {

    private static final Duration STATEMENT_MAX = Duration.ofSeconds(5);

    private static final String EXPIRED = "proposed_at <= clock_timestamp() - make_interval(secs => :wait_max)";

    /**
     * Stores a proposal. It replaces a waiting proposal of another action. A waiting proposal of the same action is
     * replaced only if its proposer is unknown and the new proposer is known.
     */
    private static final String PROPOSE = """
            INSERT INTO desk_proposal AS waiting (subject, proposal, action, reason, proposed_by, proposed_at)
            VALUES (:subject, gen_random_uuid()::text, :action, :reason, :by, clock_timestamp())
            ON CONFLICT (subject) DO UPDATE
            SET proposal = excluded.proposal, action = excluded.action, reason = excluded.reason,
                proposed_by = excluded.proposed_by, proposed_at = excluded.proposed_at
            WHERE waiting.action <> excluded.action
                OR (waiting.proposed_by IS NULL AND excluded.proposed_by IS NOT NULL)""";

    private final JdbcClient database;

    ProposedDecisionTable(JdbcClient database) {
        this.database = database;
    }

    /** Proposes a decision, and returns whether the proposal is new. */
    boolean propose(String subject, ProposedAction action, String reason, @Nullable String by) {
        ask("DELETE FROM desk_proposal WHERE " + EXPIRED).update();
        return database.sql(PROPOSE)
                        .withQueryTimeout(Math.toIntExact(STATEMENT_MAX.toSeconds()))
                        .param("subject", subject)
                        .param("action", action.name())
                        .param("reason", reason)
                        .param("by", by)
                        .update()
                == 1;
    }

    /** Returns the decisions that wait, by their subjects. */
    Map<String, ProposedDecision> find(Collection<String> subjects) {
        if (subjects.isEmpty()) {
            return Map.of();
        }
        return ask("SELECT * FROM desk_proposal WHERE subject IN (:subjects) AND NOT " + EXPIRED)
                .param("subjects", subjects)
                .query((row, _) -> Map.entry(row.getString("subject"), proposed(row)))
                .list()
                .stream()
                .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    /** @param proposal null for any proposal that waits */
    void delete(String subject, @Nullable String proposal) {
        database.sql("DELETE FROM desk_proposal"
                        + " WHERE subject = :subject AND proposal = COALESCE(CAST(:proposal AS text), proposal)")
                .withQueryTimeout(Math.toIntExact(STATEMENT_MAX.toSeconds()))
                .param("subject", subject)
                .param("proposal", proposal)
                .update();
    }

    private JdbcClient.StatementSpec ask(String sql) {
        return database.sql(sql)
                .withQueryTimeout(Math.toIntExact(STATEMENT_MAX.toSeconds()))
                .param("wait_max", ProposedDecision.WAIT_MAX.toSeconds());
    }

    private static ProposedDecision proposed(ResultSet row) throws SQLException {
        Instant at = row.getObject("proposed_at", OffsetDateTime.class).toInstant();
        return new ProposedDecision(
                row.getString("proposal"),
                ProposedAction.valueOf(row.getString("action")),
                row.getString("reason"),
                row.getString("proposed_by"),
                at,
                at.plus(ProposedDecision.WAIT_MAX));
    }
}
