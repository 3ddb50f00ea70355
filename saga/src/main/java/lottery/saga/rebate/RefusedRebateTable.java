package lottery.saga.rebate;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Objects;
import lottery.api.UserId;
import lottery.api.activity.ActivityId;
import lottery.api.activity.SkuId;
import lottery.api.rebate.BehaviourId;
import lottery.api.rebate.BehaviourProgress;
import lottery.api.rebate.Rebate;
import lottery.api.rebate.RebateProgress;
import lottery.api.rebate.RebateRuleId;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/**
 * Stores the refused rebates that wait for a person. Most rebates never wait. For those, a deletion that finds no row
 * is the only cost.
 */
@Component
public final class RefusedRebateTable implements RefusedRebateRecorder {

    private static final Duration STATEMENT_MAX = Duration.ofSeconds(5);

    private static final String NOTE = """
            INSERT INTO desk_rebate
                (behaviour_id, rule_id, place, since, user_id, behaviour, activity_id, sku, amount, reason)
            VALUES (:id, :rule, :place, :since::timestamptz, :user, :behaviour, :activity, :sku, :amount, :reason)
            ON CONFLICT (behaviour_id, rule_id, place) DO UPDATE SET reason = excluded.reason""";

    private static final String PAGE = """
            SELECT * FROM desk_rebate
            WHERE (since, behaviour_id, rule_id, place) > (:since::timestamptz, :id, :rule, :place)
            ORDER BY since, behaviour_id, rule_id, place LIMIT :max""";

    private final JdbcClient database;

    RefusedRebateTable(JdbcClient database) {
        this.database = database;
    }

    /** The last rebate of a page, after which the next page begins. */
    public record PageEnd(Instant since, String behaviourId, long ruleId, int index) {}

    @Override
    public void note(BehaviourProgress behaviour, RebateProgress rebate, Instant now) {
        ActivityId activityId = rebate.rebate().activityId();
        SkuId sku = rebate.rebate().sku();
        ask(NOTE)
                .param("id", behaviour.behaviourId().text())
                .param("rule", rebate.ruleId().value())
                .param("place", rebate.index())
                .param("since", now.toString())
                .param("user", behaviour.userId().value())
                .param("behaviour", behaviour.behaviour())
                .param("activity", activityId == null ? null : activityId.value())
                .param("sku", sku == null ? null : sku.value())
                .param("amount", rebate.rebate().amount())
                .param("reason", Objects.requireNonNull(rebate.reason()))
                .update();
    }

    @Override
    public void over(BehaviourId behaviourId, RebateRuleId ruleId, int index) {
        ask("DELETE FROM desk_rebate WHERE behaviour_id = :id AND rule_id = :rule AND place = :place")
                .param("id", behaviourId.text())
                .param("rule", ruleId.value())
                .param("place", index)
                .update();
    }

    /** Returns a page of rebates. The rebate that has waited longest is first. */
    public List<ListedRefusedRebate> find(PageEnd after, int max) {
        return ask(PAGE)
                .param("since", after.since().toString())
                .param("id", after.behaviourId())
                .param("rule", after.ruleId())
                .param("place", after.index())
                .param("max", max)
                .query(RefusedRebateTable::waiting)
                .list();
    }

    private JdbcClient.StatementSpec ask(String sql) {
        return database.sql(sql).withQueryTimeout(Math.toIntExact(STATEMENT_MAX.toSeconds()));
    }

    private static ListedRefusedRebate waiting(ResultSet row, int number) throws SQLException {
        Rebate rebate = row.getObject("sku") == null
                ? Rebate.ofCredits(row.getBigDecimal("amount"))
                : Rebate.ofSku(new ActivityId(row.getLong("activity_id")), new SkuId(row.getLong("sku")));
        return new ListedRefusedRebate(
                BehaviourId.of(row.getString("behaviour_id")),
                new RebateRuleId(row.getLong("rule_id")),
                row.getInt("place"),
                new UserId(row.getString("user_id")),
                row.getString("behaviour"),
                rebate,
                row.getString("reason"),
                row.getObject("since", OffsetDateTime.class).toInstant());
    }
}
