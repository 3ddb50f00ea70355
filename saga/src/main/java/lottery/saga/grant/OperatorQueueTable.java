package lottery.saga.grant;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import lottery.api.UserId;
import lottery.api.activity.ActivityId;
import lottery.api.award.AwardRecordId;
import lottery.api.strategy.AwardType;
import lottery.messaging.invoice.Invoice;
import lottery.saga.grant.AwardAwaitingOperator.WaitsFor;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Stores the awards that wait for an operator. Most awards never wait, and cause no work here. */
@Component
public final class OperatorQueueTable implements OperatorQueue {

    private static final Duration STATEMENT_MAX = Duration.ofSeconds(5);

    /** The longest cause. Without this limit, a saga that repeats its steps would add to the cause again and again. */
    private static final int CAUSE_LENGTH_MAX = 3_000;

    private static final String NOTE = """
            INSERT INTO desk_grant AS noted
                (award_record_id, waits_for, since, user_id, activity_id, award_id, title, type, cause)
            VALUES (:id, :waits_for, :since::timestamptz, :user, :activity, :award, :title, :type, :cause)
            ON CONFLICT (award_record_id) DO UPDATE
            SET cause = CASE WHEN strpos(noted.cause, excluded.cause) > 0 THEN noted.cause
                             ELSE left(noted.cause || '; ' || excluded.cause, :cause_max) END""";

    private static final String PAGE = """
            SELECT * FROM desk_grant
            WHERE waits_for = :waits_for AND (since, award_record_id) > (:since::timestamptz, :id)
            ORDER BY since, award_record_id LIMIT :max""";

    private final JdbcClient database;

    OperatorQueueTable(JdbcClient database) {
        this.database = database;
    }

    @Override
    public void note(Invoice invoice, WaitsFor what, Instant now, String cause) {
        ask(NOTE)
                .param("id", invoice.awardRecordId().text())
                .param("waits_for", what.name())
                .param("since", now.toString())
                .param("user", invoice.userId().value())
                .param("activity", invoice.activityId().value())
                .param("award", invoice.award().awardId())
                .param("title", invoice.award().title())
                .param("type", invoice.type().name())
                .param("cause", cause)
                .param("cause_max", CAUSE_LENGTH_MAX)
                .update();
    }

    @Override
    public void remove(AwardRecordId id) {
        ask("DELETE FROM desk_grant WHERE award_record_id = :id")
                .param("id", id.text())
                .update();
    }

    /**
     * Returns a page of awards. The award that has waited longest is first.
     *
     * @param since the time of the previous page's last award
     * @param id the id of the previous page's last award; empty for the first page
     */
    public List<AwardAwaitingOperator> find(WaitsFor what, Instant since, String id, int max) {
        return ask(PAGE)
                .param("waits_for", what.name())
                .param("since", since.toString())
                .param("id", id)
                .param("max", max)
                .query(OperatorQueueTable::waiting)
                .list();
    }

    private JdbcClient.StatementSpec ask(String sql) {
        return database.sql(sql).withQueryTimeout(Math.toIntExact(STATEMENT_MAX.toSeconds()));
    }

    private static AwardAwaitingOperator waiting(ResultSet row, int number) throws SQLException {
        return new AwardAwaitingOperator(
                AwardRecordId.of(row.getString("award_record_id")),
                new UserId(row.getString("user_id")),
                new ActivityId(row.getLong("activity_id")),
                new Invoice.InvoicedAward(row.getInt("award_id"), row.getString("title")),
                AwardType.valueOf(row.getString("type")),
                WaitsFor.valueOf(row.getString("waits_for")),
                row.getObject("since", OffsetDateTime.class).toInstant(),
                row.getString("cause"));
    }
}
