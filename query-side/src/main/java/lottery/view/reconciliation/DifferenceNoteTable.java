package lottery.view.reconciliation;

import lottery.store.trace.Actor;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Stores who has explained a difference and why, for ever. */
@Component
class DifferenceNoteTable {

    /** Keeps the amounts, because an explanation does not hold for others. */
    private static final String EXPLAIN = """
            INSERT INTO payment_difference_note
                (provider, trade_no, kind, amount, currency, stated_amount, stated_currency, reason, actor)
            SELECT :provider, :tradeNo, :kind, own.amount, own.currency, line.amount, line.currency, :reason, :actor
            FROM (SELECT amount, currency FROM payment_statement_line
                  WHERE provider = :provider AND trade_no = :tradeNo AND kind = :kind) AS line
            FULL JOIN (SELECT amount, currency FROM %s
                       WHERE provider = :provider AND trade_no = :tradeNo AND kind = :kind) AS own ON true
            WHERE (line.amount, line.currency) IS DISTINCT FROM (own.amount, own.currency)""".formatted(MovedMoney.SQL);

    private final JdbcClient database;

    DifferenceNoteTable(JdbcClient database) {
        this.database = database;
    }

    /** Explains a difference. Returns false if both sides agree, or do not know the money. */
    boolean explain(String provider, String tradeNo, StatementKind kind, String reason) {
        return database.sql(EXPLAIN)
                        .param("provider", provider)
                        .param("tradeNo", tradeNo)
                        .param("kind", kind.name())
                        .param("reason", reason)
                        .param("actor", Actor.current().map(Actor::name).orElse(null))
                        .update()
                > 0;
    }
}
