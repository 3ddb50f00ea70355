package lottery.view.reconciliation;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import lottery.api.payment.PaymentId;
import lottery.view.PageCursor;
import lottery.view.Paging;
import lottery.view.Paging.Page;
import lottery.view.Query;
import lottery.view.reconciliation.PaymentDifference.DifferenceKind;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Reads what differs now between the statements of providers and the trades of the lottery. */
@Component
class DifferenceReader {

    /**
     * Asks for the differences, the newest first.
     *
     * @param explained whether explained differences are asked for, or those that wait for a person
     * @param cursor where the previous page ended; null for the first page
     */
    record FindDifferences(boolean explained, @Nullable String cursor, int limit) implements Query<DifferencePage> {}

    private record FoundDifference(long id, PaymentDifference difference) {

        String cursor() {
            return new PageCursor(id).text();
        }
    }

    private final JdbcClient database;
    private final DifferenceParts parts;
    private final String pageSql;
    private final String countSql;

    DifferenceReader(JdbcClient database, DifferenceParts parts, MovedMoney moved) {
        this.database = database;
        this.parts = parts;
        String differences = differences(parts, moved);
        this.pageSql = moved.complete("""
            SELECT money.*, own.amount, own.currency, own.payment_id, stated.amount AS stated_amount,
                   stated.currency AS stated_currency, stated.payment_no, note.reason, note.actor
            %s AND money.id < :below ORDER BY money.id DESC LIMIT :max""".formatted(differences));
        this.countSql = moved.complete(
                "SELECT count(*) %s AND money.provider = :provider AND money.day = :day".formatted(differences));
    }

    /** An explanation is about these amounts only. */
    private static String differences(DifferenceParts parts, MovedMoney moved) {
        String sides = ComparedMoney.lookedUp(moved);
        return """
            FROM %s AS money %s
            LEFT JOIN LATERAL (
                SELECT note.id, note.reason, note.actor FROM payment_difference_note AS note
                WHERE (note.provider, note.trade_no, note.kind) = (money.provider, money.trade_no, money.kind)
                  AND (note.amount, note.currency, note.stated_amount, note.stated_currency) IS NOT DISTINCT FROM
                      (own.amount, own.currency, stated.amount, stated.currency)
                ORDER BY note.id DESC LIMIT 1
            ) AS note ON true
            WHERE %s AND (note.id IS NOT NULL) = :explained""".formatted(parts.from(), sides, ComparedMoney.DIFFERS);
    }

    DifferencePage answer(FindDifferences query) {
        long below = PageCursor.below(query.cursor());
        List<FoundDifference> found = parts.below(below)
                .map(part -> part.bind(database.sql(pageSql))
                        .param("explained", query.explained())
                        .param("below", below)
                        .param("max", query.limit() + 1)
                        .query((row, _) -> new FoundDifference(row.getLong("id"), difference(row)))
                        .list())
                .flatMap(List::stream)
                .limit(query.limit() + 1L)
                .toList();
        Page<FoundDifference> page = Paging.pageOf(found, query.limit(), FoundDifference::cursor);
        return new DifferencePage(page.each(FoundDifference::difference), page.next());
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

    /** Returns how many differences that a statement has shown nobody has explained. */
    long count(String provider, LocalDate day) {
        return parts.of(provider, day)
                .mapToLong(part -> part.bind(database.sql(countSql))
                        .param("explained", false)
                        .param("provider", provider)
                        .param("day", day)
                        .query(Long.class)
                        .single())
                .sum();
    }
}
