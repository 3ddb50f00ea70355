package lottery.view.reconciliation;

/** The SQL that compares what the lottery knows about money with what all statements of its provider say. */
final class ComparedMoney {

    /** Whether the two sides differ. */
    static final String DIFFERS = "(own.amount, own.currency) IS DISTINCT FROM (stated.amount, stated.currency)";

    private ComparedMoney() {}

    /**
     * Looks both sides up for a row {@code money} with provider, trade_no and kind. A refund may come in parts, also on
     * several days, so all lines are added. Lines of several currencies have no currency, and agree with nothing. The
     * limit makes the database use the index of a table. Copies have no index, so they are joined all at once.
     */
    static String lookedUp(MovedMoney moved) {
        return """
            LEFT JOIN LATERAL (
                SELECT moved.* FROM %s
                WHERE (moved.provider, moved.trade_no, moved.kind) = (money.provider, money.trade_no, money.kind)%s
            ) AS own ON true
            CROSS JOIN LATERAL (
                SELECT sum(amount) AS amount, max(payment_no) AS payment_no,
                       CASE WHEN min(currency) = max(currency) THEN min(currency) END AS currency
                FROM payment_statement_line AS line
                WHERE (line.provider, line.trade_no, line.kind) = (money.provider, money.trade_no, money.kind)
            ) AS stated""".formatted(moved.from(), moved.isCopied() ? "" : " LIMIT 1");
    }
}
