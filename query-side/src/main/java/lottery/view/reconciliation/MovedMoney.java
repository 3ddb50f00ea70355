package lottery.view.reconciliation;

import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import lottery.api.payment.Trade;
import lottery.store.log.Logs;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.core.simple.JdbcClient.StatementSpec;
import org.springframework.stereotype.Component;

/**
 * The SQL of money that was taken or given back, one row for each trade and kind. Each log has the money of its users,
 * but only the home log has statements. With several logs, SQL of the home log reads copies, which are its parameter
 * {@code copies}.
 */
@Component
class MovedMoney {

    /** A subquery. It is no view in the database, because a replay replaces the table. */
    private static final String IN_LOG = """
            (SELECT provider, trade_no, 'TAKEN' AS kind, taken_at AS at, amount, currency, payment_id FROM view_trade
             UNION ALL
             SELECT provider, trade_no, 'REFUNDED', refunded_at, amount, currency, payment_id FROM view_trade
             WHERE refunded_at IS NOT NULL) AS moved""";

    /** The role of the application may not create a temporary table. */
    private static final String COPIES = """
            WITH moved AS MATERIALIZED (
                SELECT copied.* FROM unnest(:copies::text[]) AS copy (row),
                    json_to_record(copy.row::json) AS copied (
                        provider text COLLATE "C", trade_no text COLLATE "C", kind text, at timestamptz, amount numeric,
                        currency text, payment_id text)
            )
            """;

    private static final String COPY = "SELECT row_to_json(moved) FROM %s WHERE ".formatted(IN_LOG);

    private static final String COPY_DAY =
            COPY + "provider = :provider AND (at >= :begin AND at < :end OR trade_no = ANY (:tradeNos::text[]))";

    /** May find a number at a wrong provider, too, which does no harm. */
    private static final String COPY_TRADES =
            COPY + "provider = ANY (:providers::text[]) AND trade_no = ANY (:tradeNos::text[])";

    private final Logs logs;

    MovedMoney(Logs logs) {
        this.logs = logs;
    }

    /** Returns whether there are several logs, so that SQL needs copies. */
    boolean isCopied() {
        return logs.all().size() > 1;
    }

    /** Returns what SQL reads the money from, as {@code moved}. */
    String from() {
        return isCopied() ? "moved" : IN_LOG;
    }

    /** Returns SQL that may read from that. */
    String complete(String sql) {
        return isCopied() ? COPIES + sql : sql;
    }

    /** Copies the money of a day and of some trades, if there are several logs. */
    String[] copies(String provider, LocalDays day, String... tradeNos) {
        return copies(log -> log.sql(COPY_DAY)
                .param("provider", provider)
                .param("begin", day.begin())
                .param("end", day.end())
                .param("tradeNos", tradeNos));
    }

    /** Copies the money of some trades, if there are several logs. */
    String[] copies(Collection<Trade> trades) {
        return copies(log -> log.sql(COPY_TRADES)
                .param(
                        "providers",
                        trades.stream().map(Trade::provider).distinct().toArray(String[]::new))
                .param("tradeNos", trades.stream().map(Trade::tradeNo).toArray(String[]::new)));
    }

    private String[] copies(Function<JdbcClient, StatementSpec> copy) {
        return isCopied()
                ? logs.all().stream()
                        .map(log -> copy.apply(log.sql()).query(String.class).list())
                        .flatMap(List::stream)
                        .toArray(String[]::new)
                : new String[0];
    }
}
