package lottery.payment.simulator;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import lottery.api.Money;
import lottery.payment.PaymentProvider.PaymentDemand;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcOperations;

/** The tables of the simulated provider, which remembers what it has taken as another company would. */
final class SimulatedPaymentTable {

    /**
     * A payment as the provider knows it.
     *
     * @param silentUntil until when it answers nothing about the payment
     * @param refusesRefunds whether it gives nothing back
     */
    record SimulatedPayment(
            String number,
            Money price,
            Instant expiresAt,
            boolean isClosed,
            @Nullable Instant silentUntil,
            boolean refusesRefunds) {}

    /** @param refundNo the number under which the money was given back; null if it was not */
    record SimulatedTrade(
            String tradeNo,
            String number,
            Money money,
            Instant takenAt,
            @Nullable String refundNo) {}

    private static final int TRADES_MAX = 100;

    private final JdbcOperations database;

    SimulatedPaymentTable(JdbcOperations database) {
        this.database = database;
    }

    /** Returns the key with which the provider signs. The first process makes it up. */
    String signingKey(String madeUp) {
        database.update(
                "INSERT INTO simulated_provider_key (only_row, key) VALUES (true, ?) ON CONFLICT DO NOTHING", madeUp);
        return database.queryForList("SELECT key FROM simulated_provider_key", String.class)
                .getFirst();
    }

    void open(PaymentDemand demand) {
        database.update(
                "INSERT INTO simulated_payment (number, amount, currency, expires_at) VALUES (?, ?, ?, ?)"
                        + " ON CONFLICT DO NOTHING",
                demand.paymentId().number(),
                demand.price().amount(),
                demand.price().currency(),
                at(demand.expiresAt()));
    }

    Optional<SimulatedPayment> find(String number) {
        return database
                .query(
                        "SELECT number, amount, currency, expires_at, closed, silent_until, refuses_refunds"
                                + " FROM simulated_payment WHERE number = ?",
                        (row, _) -> new SimulatedPayment(
                                row.getString(1),
                                new Money(row.getBigDecimal(2), row.getString(3)),
                                instant(row, 4),
                                row.getBoolean(5),
                                row.getObject(6) == null ? null : instant(row, 6),
                                row.getBoolean(7)),
                        number)
                .stream()
                .findFirst();
    }

    void close(String number) {
        database.update("UPDATE simulated_payment SET closed = true WHERE number = ?", number);
    }

    void misbehave(String number, @Nullable Instant silentUntil, boolean refusesRefunds) {
        database.update(
                "UPDATE simulated_payment SET silent_until = ?, refuses_refunds = ? WHERE number = ?",
                silentUntil == null ? null : at(silentUntil),
                refusesRefunds,
                number);
    }

    /**
     * Takes money once or several times, unless the payment was closed meanwhile. Returns whether it was taken. The
     * lottery closes the payment when it hears of the first time, so all are taken at once.
     *
     * @param trades one for each time; only their numbers differ
     * @param told whether no message tells of it
     */
    boolean take(List<SimulatedTrade> trades, boolean told) {
        SimulatedTrade trade = trades.getFirst();
        return database.update(
                        "INSERT INTO simulated_trade (trade_no, number, amount, currency, taken_at, told)"
                                + " SELECT trade_no, number, ?, ?, ?, ?"
                                + " FROM simulated_payment CROSS JOIN unnest(?::text[]) AS trade_no"
                                + " WHERE number = ? AND NOT closed FOR UPDATE OF simulated_payment",
                        trade.money().amount(),
                        trade.money().currency(),
                        at(trade.takenAt()),
                        told,
                        trades.stream().map(SimulatedTrade::tradeNo).toArray(String[]::new),
                        trade.number())
                == trades.size();
    }

    /** Returns the money that was taken for a payment, the oldest first. */
    List<SimulatedTrade> trades(String number) {
        return find("number = ?", number);
    }

    /** Returns money that is there by now, and of which the lottery does not know. */
    List<SimulatedTrade> untold(Instant now) {
        return find("NOT told AND taken_at <= ?", at(now));
    }

    private List<SimulatedTrade> find(String condition, Object parameter) {
        return database.query(
                "SELECT trade_no, number, amount, currency, taken_at, refund_no FROM simulated_trade WHERE " + condition
                        + " ORDER BY taken_at, trade_no LIMIT " + TRADES_MAX,
                (row, _) -> new SimulatedTrade(
                        row.getString(1),
                        row.getString(2),
                        new Money(row.getBigDecimal(3), row.getString(4)),
                        instant(row, 5),
                        row.getString(6)),
                parameter);
    }

    void told(String tradeNo) {
        database.update("UPDATE simulated_trade SET told = true WHERE trade_no = ?", tradeNo);
    }

    /** Gives money back, once. Returns whether it was given back under this number, now or before. */
    boolean refund(String tradeNo, String refundNo) {
        return database.update(
                        "UPDATE simulated_trade SET refund_no = ?"
                                + " WHERE trade_no = ? AND coalesce(refund_no, ?) = ?",
                        refundNo,
                        tradeNo,
                        refundNo,
                        refundNo)
                == 1;
    }

    private static OffsetDateTime at(Instant time) {
        return time.atOffset(ZoneOffset.UTC);
    }

    private static Instant instant(ResultSet row, int column) throws SQLException {
        return row.getObject(column, OffsetDateTime.class).toInstant();
    }
}
