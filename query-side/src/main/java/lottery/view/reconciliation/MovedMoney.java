package lottery.view.reconciliation;

/** The SQL of money that was taken or given back, one row for each trade and kind. */
final class MovedMoney {

    /** A subquery. It is no view in the database, because a replay replaces the table. */
    static final String SQL = """
            (SELECT provider, trade_no, 'TAKEN' AS kind, taken_at AS at, amount, currency, payment_id FROM view_trade
             UNION ALL
             SELECT provider, trade_no, 'REFUNDED', refunded_at, amount, currency, payment_id FROM view_trade
             WHERE refunded_at IS NOT NULL) AS moved""";

    private MovedMoney() {}
}
