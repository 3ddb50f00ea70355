package lottery.view.reconciliation;

import java.math.BigDecimal;
import lottery.store.trace.Actor;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Stores who has explained a difference and why, for ever. */
@Component
class DifferenceNoteTable {

    /** Nobody explains amounts that they have not seen, and an explanation does not hold for others. */
    private static final String EXPLAIN = """
            INSERT INTO payment_difference_note
                (provider, trade_no, kind, amount, currency, stated_amount, stated_currency, reason, actor)
            SELECT money.provider, money.trade_no, money.kind, own.amount, own.currency, stated.amount, stated.currency,
                   :reason, :actor
            FROM payment_difference AS money %s
            WHERE (money.provider, money.trade_no, money.kind) = (:provider, :tradeNo, :kind) AND %s
              AND (own.amount, own.currency, stated.amount, stated.currency) IS NOT DISTINCT FROM
                  (:amount::numeric, :currency::text, :statedAmount::numeric, :statedCurrency::text)""".formatted(ComparedMoney.LOOKED_UP, ComparedMoney.DIFFERS);

    private final JdbcClient database;

    DifferenceNoteTable(JdbcClient database) {
        this.database = database;
    }

    /** The two sides of a difference, as a person has seen them; null where a side knows nothing. */
    record SeenAmounts(
            @Nullable BigDecimal amount,
            @Nullable String currency,
            @Nullable BigDecimal statedAmount,
            @Nullable String statedCurrency) {}

    /** Explains a difference. Returns false if there is none with these amounts. */
    boolean explain(String provider, String tradeNo, StatementKind kind, SeenAmounts seen, String reason) {
        return database.sql(EXPLAIN)
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
