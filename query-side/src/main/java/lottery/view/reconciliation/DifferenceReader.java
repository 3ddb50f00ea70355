package lottery.view.reconciliation;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import lottery.api.payment.PaymentId;
import lottery.view.Paging;
import lottery.view.Paging.Page;
import lottery.view.Query;
import lottery.view.reconciliation.PaymentDifference.DifferenceKind;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Compares the statements of providers with the trades of the lottery, whenever it is asked. */
@Component
class DifferenceReader {

    /**
     * The differences of some days, each with its explanation. A line and a trade match whatever their days are,
     * because one side may be late around midnight. An explanation is about these amounts only. LIMIT and OFFSET let
     * PostgreSQL look each match up in an index, so that the cost depends on these days only.
     */
    private static final String DIFFERENCES = """
            SELECT difference.*, note.id IS NOT NULL AS explained, note.reason, note.actor
            FROM (
                SELECT line.day, line.provider, line.trade_no, line.kind, own.amount, own.currency,
                       line.amount AS stated_amount, line.currency AS stated_currency, own.payment_id, line.payment_no
                FROM payment_statement_line AS line LEFT JOIN LATERAL (
                    SELECT * FROM %1$s
                    WHERE (moved.provider, moved.trade_no, moved.kind) = (line.provider, line.trade_no, line.kind) LIMIT 1
                ) AS own ON true
                WHERE line.day BETWEEN :from AND :to
                  AND (line.amount, line.currency) IS DISTINCT FROM (own.amount, own.currency)
                UNION ALL
                SELECT statement.day, own.provider, own.trade_no, own.kind, own.amount, own.currency,
                       NULL, NULL, own.payment_id, NULL
                FROM payment_statement AS statement CROSS JOIN LATERAL (
                    SELECT * FROM %1$s
                    WHERE moved.provider = statement.provider AND at >= statement.begins_at AND at < statement.ends_at
                    OFFSET 0
                ) AS own LEFT JOIN LATERAL (
                    SELECT true AS found FROM payment_statement_line AS line
                    WHERE (line.provider, line.trade_no, line.kind) = (own.provider, own.trade_no, own.kind) LIMIT 1
                ) AS line ON true
                WHERE statement.day BETWEEN :from AND :to AND line.found IS NULL
            ) AS difference
            LEFT JOIN LATERAL (
                SELECT note.id, note.reason, note.actor FROM payment_difference_note AS note
                WHERE (note.provider, note.trade_no, note.kind) = (difference.provider, difference.trade_no, difference.kind)
                  AND (note.amount, note.currency, note.stated_amount, note.stated_currency) IS NOT DISTINCT FROM
                      (difference.amount, difference.currency, difference.stated_amount, difference.stated_currency)
                ORDER BY note.id DESC LIMIT 1
            ) AS note ON true""".formatted(MovedMoney.SQL);

    private static final String PAGE = """
            SELECT * FROM (%s) AS listed
            WHERE explained = :explained AND (day, provider, trade_no, kind) < (:day, :provider, :tradeNo, :kind)
            ORDER BY day DESC, provider DESC, trade_no DESC, kind DESC LIMIT :max""".formatted(DIFFERENCES);

    private static final String COUNT =
            "SELECT count(*) FROM (%s) AS listed WHERE NOT explained AND provider = :provider".formatted(DIFFERENCES);

    /**
     * Asks for the differences of some days, those of the newest day first.
     *
     * @param explained whether explained differences are asked for, or those that wait for a person
     * @param cursor where the previous page ended; null for the first page
     */
    record FindDifferences(
            LocalDate from,
            LocalDate to,
            boolean explained,
            @Nullable String cursor,
            int limit) implements Query<DifferencePage> {}

    private final JdbcClient database;

    DifferenceReader(JdbcClient database) {
        this.database = database;
    }

    DifferencePage answer(FindDifferences query) {
        DifferenceCursor cursor = Optional.ofNullable(query.cursor())
                .flatMap(DifferenceCursor::of)
                .orElse(DifferenceCursor.FIRST);
        List<PaymentDifference> found = database.sql(PAGE)
                .param("from", query.from())
                .param("to", query.to())
                .param("explained", query.explained())
                .param("day", cursor.day())
                .param("provider", cursor.provider())
                .param("tradeNo", cursor.tradeNo())
                .param("kind", cursor.kind().name())
                .param("max", query.limit() + 1)
                .query((row, _) -> difference(row))
                .list();
        Page<PaymentDifference> page = Paging.pageOf(
                found, query.limit(), difference -> difference.cursor().text());
        return new DifferencePage(page.items(), page.next());
    }

    private static PaymentDifference difference(ResultSet row) throws SQLException {
        @Nullable String amount = row.getString("amount");
        @Nullable String stated = row.getString("stated_amount");
        @Nullable String paymentId = row.getString("payment_id");
        @Nullable String paymentNo = row.getString("payment_no");
        return new PaymentDifference(
                row.getObject("day", LocalDate.class),
                row.getString("provider"),
                row.getString("trade_no"),
                StatementKind.valueOf(row.getString("kind")),
                amount == null
                        ? DifferenceKind.MISSING_HERE
                        : stated == null ? DifferenceKind.MISSING_THERE : DifferenceKind.AMOUNT_DIFFERS,
                row.getBigDecimal("amount"),
                row.getString("currency"),
                row.getBigDecimal("stated_amount"),
                row.getString("stated_currency"),
                paymentId == null
                        ? Optional.ofNullable(paymentNo)
                                .flatMap(PaymentId::ofNumber)
                                .orElse(null)
                        : PaymentId.of(paymentId),
                row.getString("reason"),
                row.getString("actor"));
    }

    /** Returns how many differences of a day nobody has explained. */
    long count(String provider, LocalDate day) {
        return database.sql(COUNT)
                .param("provider", provider)
                .param("from", day)
                .param("to", day)
                .query(Long.class)
                .single();
    }
}
