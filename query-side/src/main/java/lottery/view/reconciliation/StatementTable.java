package lottery.view.reconciliation;

import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import lottery.store.trace.Actor;
import lottery.view.reconciliation.StatementLine.StatementLineKey;
import lottery.view.reconciliation.StatementSummary.StatementSum;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Stores the statements of providers. The newest statement of a provider and day counts; the others are only listed.
 */
@Component
class StatementTable {

    /** Lets one upload follow the other. */
    private static final String LOCK =
            "SELECT pg_advisory_xact_lock(hashtextextended('statement of ' || :provider, 0))";

    private static final String STATEMENT = """
            INSERT INTO payment_statement (provider, day, zone, lines, actor)
            VALUES (:provider, :day, :zone, :lines, :actor)""";

    private static final String FORGET =
            "DELETE FROM payment_statement_line WHERE provider = :provider AND day = :day RETURNING trade_no, kind";

    private static final String LINES = """
            INSERT INTO payment_statement_line (provider, day, trade_no, kind, amount, currency, payment_no)
            SELECT :provider, :day, trade_no, kind, amount, currency, nullif(payment_no, '')
            FROM unnest(:tradeNos::text[], :kinds::text[], :amounts::numeric[], :currencies::text[], :paymentNos::text[])
                AS given (trade_no, kind, amount, currency, payment_no)""";

    private final JdbcClient database;
    private final TransactionTemplate transaction;
    private final DifferenceReader differences;
    private final MovedMoney moved;
    private final String differencesSql;
    private final String sumsSql;

    StatementTable(
            JdbcClient database,
            PlatformTransactionManager transactions,
            DifferenceReader differences,
            MovedMoney moved) {
        this.database = database;
        this.transaction = new TransactionTemplate(transactions);
        this.differences = differences;
        this.moved = moved;
        this.differencesSql = differencesSql(moved);
        this.sumsSql = sumsSql(moved);
    }

    /**
     * Notes what differs now: of the money of this day on both sides, and of the money that the statement had before. A
     * line and a trade match whatever their days are, because one side may be late around midnight.
     */
    private static String differencesSql(MovedMoney moved) {
        String sides = ComparedMoney.lookedUp(moved);
        return moved.complete("""
            INSERT INTO payment_difference (provider, trade_no, kind, day)
            SELECT money.provider, money.trade_no, money.kind, :day FROM (
                SELECT provider, trade_no, kind FROM payment_statement_line WHERE provider = :provider AND day = :day
                UNION
                SELECT provider, trade_no, kind FROM %s WHERE provider = :provider AND at >= :begin AND at < :end
                UNION
                SELECT :provider, trade_no, kind FROM unnest(:oldNos::text[], :oldKinds::text[]) AS old (trade_no, kind)
            ) AS money %s WHERE %s
            ORDER BY money.trade_no, money.kind
            ON CONFLICT (provider, trade_no, kind) DO NOTHING""".formatted(moved.from(), sides, ComparedMoney.DIFFERS));
    }

    private static String sumsSql(MovedMoney moved) {
        return moved.complete("""
            SELECT kind, currency, sum(count) AS count, sum(amount) AS amount, sum(stated_count) AS stated_count,
                   sum(stated_amount) AS stated_amount
            FROM (SELECT kind, currency, 0 AS count, 0 AS amount, 1 AS stated_count, amount AS stated_amount
                  FROM payment_statement_line WHERE provider = :provider AND day = :day
                  UNION ALL
                  SELECT kind, currency, 1, amount, 0, 0
                  FROM %s WHERE provider = :provider AND at >= :begin AND at < :end) AS each
            GROUP BY kind, currency ORDER BY kind DESC, currency""".formatted(moved.from()));
    }

    /** Replaces the statement of a day, and notes what differs. */
    void put(String provider, LocalDays day, Collection<StatementLine> lines) {
        transaction.executeWithoutResult(_ -> {
            database.sql(LOCK).param("provider", provider).query().singleRow();
            database.sql(STATEMENT)
                    .param("provider", provider)
                    .param("day", day.from())
                    .param("zone", day.zone().getId())
                    .param("lines", lines.size())
                    .param("actor", Actor.current().map(Actor::name).orElse(null))
                    .update();
            List<StatementLineKey> before = database.sql(FORGET)
                    .param("provider", provider)
                    .param("day", day.from())
                    .query((row, _) -> new StatementLineKey(
                            row.getString("trade_no"), StatementKind.valueOf(row.getString("kind"))))
                    .list();
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
            database.sql(differencesSql)
                    .param("provider", provider)
                    .param("day", day.from())
                    .param("begin", day.begin())
                    .param("end", day.end())
                    .param("oldNos", column(before, StatementLineKey::tradeNo))
                    .param("oldKinds", column(before, key -> key.kind().name()))
                    .param("copies", moved.copies(provider, day, tradeNos(lines, before)))
                    .update();
        });
    }

    private static String[] tradeNos(Collection<StatementLine> lines, Collection<StatementLineKey> before) {
        return Stream.concat(lines.stream().map(StatementLine::key), before.stream())
                .map(StatementLineKey::tradeNo)
                .distinct()
                .toArray(String[]::new);
    }

    private static <T> String[] column(Collection<T> rows, Function<T, String> value) {
        return rows.stream().map(value).toArray(String[]::new);
    }

    /** Compares a statement with what the lottery knows about the day. */
    StatementSummary summary(String provider, LocalDays day) {
        List<StatementSum> sums = database.sql(sumsSql)
                .param("copies", moved.copies(provider, day))
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
