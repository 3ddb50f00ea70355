package lottery.view.reconciliation;

import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import lottery.store.trace.Actor;
import lottery.view.reconciliation.StatementSummary.StatementSum;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Stores the statements of providers. A day of a provider has one statement, the newest that was given. */
@Component
class StatementTable {

    /** Locks the statement, so that one upload follows the other. */
    private static final String STATEMENT = """
            INSERT INTO payment_statement AS old (provider, day, zone, begins_at, ends_at, actor)
            VALUES (:provider, :day, :zone, :begin, :end, :actor)
            ON CONFLICT (provider, day) DO UPDATE SET zone = excluded.zone, begins_at = excluded.begins_at,
                ends_at = excluded.ends_at, given_at = excluded.given_at, actor = excluded.actor""";

    private static final String FORGET = "DELETE FROM payment_statement_line WHERE provider = :provider AND day = :day";

    private static final String LINES = """
            INSERT INTO payment_statement_line (provider, day, trade_no, kind, amount, currency, payment_no)
            SELECT :provider, :day, trade_no, kind, amount, currency, nullif(payment_no, '')
            FROM unnest(:tradeNos::text[], :kinds::text[], :amounts::numeric[], :currencies::text[], :paymentNos::text[])
                AS given (trade_no, kind, amount, currency, payment_no)""";

    private static final String SUMS = """
            SELECT kind, currency, sum(count) AS count, sum(amount) AS amount, sum(stated_count) AS stated_count,
                   sum(stated_amount) AS stated_amount
            FROM (SELECT kind, currency, 0 AS count, 0 AS amount, 1 AS stated_count, amount AS stated_amount
                  FROM payment_statement_line WHERE provider = :provider AND day = :day
                  UNION ALL
                  SELECT kind, currency, 1, amount, 0, 0
                  FROM %s WHERE provider = :provider AND at >= :begin AND at < :end) AS each
            GROUP BY kind, currency ORDER BY kind DESC, currency""".formatted(MovedMoney.SQL);

    private final JdbcClient database;
    private final TransactionTemplate transaction;
    private final DifferenceReader differences;

    StatementTable(JdbcClient database, PlatformTransactionManager transactions, DifferenceReader differences) {
        this.database = database;
        this.transaction = new TransactionTemplate(transactions);
        this.differences = differences;
    }

    /** Replaces the statement of a day. */
    void put(String provider, LocalDays day, Collection<StatementLine> lines) {
        transaction.executeWithoutResult(_ -> {
            database.sql(STATEMENT)
                    .param("provider", provider)
                    .param("day", day.from())
                    .param("zone", day.zone().getId())
                    .param("begin", day.begin())
                    .param("end", day.end())
                    .param("actor", Actor.current().map(Actor::name).orElse(null))
                    .update();
            database.sql(FORGET)
                    .param("provider", provider)
                    .param("day", day.from())
                    .update();
            database.sql(LINES)
                    .param("provider", provider)
                    .param("day", day.from())
                    .param("tradeNos", column(lines, StatementLine::tradeNo))
                    .param("kinds", column(lines, line -> line.kind().name()))
                    .param(
                            "amounts",
                            column(lines, line -> line.money().amount().toPlainString()))
                    .param("currencies", column(lines, line -> line.money().currency()))
                    .param("paymentNos", column(lines, StatementLine::paymentNo))
                    .update();
        });
    }

    private static String[] column(Collection<StatementLine> lines, Function<StatementLine, String> value) {
        return lines.stream().map(value).toArray(String[]::new);
    }

    /** Compares a statement with what the lottery knows about the day. */
    StatementSummary summary(String provider, LocalDays day) {
        List<StatementSum> sums = database.sql(SUMS)
                .param("provider", provider)
                .param("day", day.from())
                .param("begin", day.begin())
                .param("end", day.end())
                .query((row, _) -> new StatementSum(
                        StatementKind.valueOf(row.getString("kind")),
                        row.getString("currency"),
                        row.getLong("count"),
                        row.getBigDecimal("amount"),
                        row.getLong("stated_count"),
                        row.getBigDecimal("stated_amount")))
                .list();
        return new StatementSummary(
                provider,
                day.from(),
                day.zone(),
                sums.stream().mapToLong(StatementSum::statedCount).sum(),
                sums,
                differences.count(provider, day.from()));
    }
}
