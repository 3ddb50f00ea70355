package lottery.view.reconciliation;

import java.math.BigDecimal;
import java.util.List;
import lottery.api.payment.Trade;
import lottery.store.trace.Actor;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Stores who has explained a difference and why, for ever. */
@Component
class DifferenceNoteTable {

    private final JdbcClient database;
    private final MovedMoney moved;
    private final String explainSql;

    DifferenceNoteTable(JdbcClient database, MovedMoney moved) {
        this.database = database;
        this.moved = moved;
        this.explainSql = explainSql(moved);
    }

    /** Nobody explains amounts that they have not seen, and an explanation does not hold for others. */
    private static String explainSql(MovedMoney moved) {
        String sides = ComparedMoney.lookedUp(moved);
        return moved.complete("""
            INSERT INTO payment_difference_note
                (provider, trade_no, kind, amount, currency, stated_amount, stated_currency, reason, actor)
            SELECT money.provider, money.trade_no, money.kind, own.amount, own.currency, stated.amount, stated.currency,
                   :reason, :actor
            FROM payment_difference AS money %s
            WHERE (money.provider, money.trade_no, money.kind) = (:provider, :tradeNo, :kind) AND %s
              AND (own.amount, own.currency, stated.amount, stated.currency) IS NOT DISTINCT FROM
                  (:amount::numeric, :currency::text, :statedAmount::numeric,
                   :statedCurrency::text)""".formatted(sides, ComparedMoney.DIFFERS));
    }

    /** The two sides of a difference, as a person has seen them; null where a side knows nothing. */
    record SeenAmounts(
            @Nullable BigDecimal amount,
            @Nullable String currency,
            @Nullable BigDecimal statedAmount,
            @Nullable String statedCurrency) {}

    /** Explains a difference. Returns false if there is none with these amounts. */
    boolean explain(String provider, String tradeNo, StatementKind kind, SeenAmounts seen, String reason) {
        return database.sql(explainSql)
                        .param("copies", moved.copies(List.of(new Trade(provider, tradeNo))))
                        .param("provider", provider)
                        .param("tradeNo", tradeNo)
                        .param("kind", kind.name())
                        .param("amount", seen.amount())
                        .param("currency", seen.currency())
                        .param("statedAmount", seen.statedAmount())
                        .param("statedCurrency", seen.statedCurrency())
                        .param("reason", reason)
                        .param("actor", Actor.current().map(Actor::name).orElse(null))
                        .update()
                > 0;
    }
}
