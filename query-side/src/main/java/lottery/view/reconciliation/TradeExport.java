package lottery.view.reconciliation;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Comparator.comparing;

import java.io.IOException;
import java.io.OutputStream;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import lottery.api.payment.PaymentId;
import lottery.api.payment.Trade;
import lottery.store.log.Logs;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Exports trades as CSV, in the order of their time. Only a part of them is in memory. */
@Component
class TradeExport {

    private static final int PART = 1_000;

    private static final String HEADER = CsvLine.encode(
            "takenAt",
            "provider",
            "tradeNo",
            "paymentNo",
            "activityId",
            "userId",
            "amount",
            "currency",
            "state",
            "refundedAt");

    /** The payment of a trade is missing only while its events are parked. */
    private static final String NEXT_PART = """
            SELECT trade.*, payment.activity_id
            FROM view_trade AS trade LEFT JOIN view_payment AS payment USING (payment_id)
            WHERE taken_at < :end AND (taken_at, provider, trade_no) > (:takenAt, :provider, :tradeNo)
            ORDER BY taken_at, provider, trade_no LIMIT :max""";

    /** A line of the export, and its place in the order. */
    private record TradeLine(OffsetDateTime takenAt, Trade trade, String text) {

        static TradeLine of(ResultSet row, ZoneId zone) throws SQLException {
            OffsetDateTime takenAt = row.getObject("taken_at", OffsetDateTime.class);
            Trade trade = new Trade(row.getString("provider"), row.getString("trade_no"));
            return new TradeLine(
                    takenAt,
                    trade,
                    CsvLine.encode(
                            textOf(takenAt, zone),
                            trade.provider(),
                            trade.tradeNo(),
                            PaymentId.of(row.getString("payment_id")).number(),
                            Objects.requireNonNullElse(row.getString("activity_id"), ""),
                            row.getString("user_id"),
                            row.getBigDecimal("amount").toPlainString(),
                            row.getString("currency"),
                            row.getString("state"),
                            textOf(row.getObject("refunded_at", OffsetDateTime.class), zone)));
        }

        private static String textOf(@Nullable OffsetDateTime at, ZoneId zone) {
            return at == null ? "" : DateTimeFormatter.ISO_OFFSET_DATE_TIME.format(at.atZoneSameInstant(zone));
        }
    }

    private static final Comparator<TradeLine> ORDER = comparing(TradeLine::takenAt)
            .thenComparing(line -> line.trade().provider())
            .thenComparing(line -> line.trade().tradeNo());

    private final JdbcClient database;
    private final Logs logs;

    TradeExport(JdbcClient database, Logs logs) {
        this.database = database;
        this.logs = logs;
    }

    /** Writes a line for each trade whose money was taken on these days. */
    void writeTo(OutputStream out, LocalDays days) throws IOException {
        out.write(HEADER.getBytes(UTF_8));
        List<TradeLine> part = part(days.begin(), "", "", days);
        while (!part.isEmpty()) {
            for (TradeLine line : part) {
                out.write(line.text().getBytes(UTF_8));
            }
            TradeLine last = part.getLast();
            part = part(last.takenAt(), last.trade().provider(), last.trade().tradeNo(), days);
        }
    }

    private List<TradeLine> part(OffsetDateTime takenAt, String provider, String tradeNo, LocalDays days) {
        return logs.readAll(() -> partOfLog(takenAt, provider, tradeNo, days), ORDER, PART);
    }

    private List<TradeLine> partOfLog(OffsetDateTime takenAt, String provider, String tradeNo, LocalDays days) {
        return database.sql(NEXT_PART)
                .param("takenAt", takenAt)
                .param("provider", provider)
                .param("tradeNo", tradeNo)
                .param("end", days.end())
                .param("max", PART)
                .query((row, _) -> TradeLine.of(row, days.zone()))
                .list();
    }
}
