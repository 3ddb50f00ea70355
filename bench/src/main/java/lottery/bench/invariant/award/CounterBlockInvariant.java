package lottery.bench.invariant.award;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import lottery.bench.invariant.CheckMoment;
import lottery.bench.invariant.EventTableRow;
import lottery.bench.invariant.FindingTally;
import lottery.bench.invariant.InvariantVerdict;

/**
 * Checks the blocks of counters that the home log leases to the other logs, and gets back from them. A block that was
 * received was sent before, and at rest each sent block was received. No log may take more than its blocks have, and
 * the home log counts as taken what is out.
 */
public final class CounterBlockInvariant {

    private static final String COUNT = "SELECT count(*) FROM counter_block";

    /**
     * Selects the blocks that only one side has. The other logs of another database are read a moment after the home
     * log, so they may have blocks that are too new.
     */
    private static final String ONE_SIDED = """
            SELECT in_log, log, number, counter, amount, returned = (in_log > 0) AS is_sent,
                   in_log > 0 AND to_regclass('pg_temp.log_' || lpad(log::text, 2, '0') || '_counter_block') IS NOT NULL
                   AND number > coalesce((SELECT max(number) FROM counter_block AS sent
                                          WHERE in_log = 0 AND sent.log = block.log AND NOT sent.returned), 0) AS is_new
            FROM counter_block AS block
            WHERE NOT EXISTS (
                SELECT FROM counter_block AS other
                WHERE other.in_log = block.log - block.in_log
                  AND (other.log, other.returned, other.number, other.counter, other.amount)
                    = (block.log, block.returned, block.number, block.counter, block.amount))
            ORDER BY in_log, log, returned, number""";

    private static final String LIMITS = """
            SELECT in_log, name, total,
                   coalesce((SELECT sum(CASE WHEN returned THEN -amount ELSE amount END) FROM counter_block AS block
                             WHERE block.in_log = known.in_log AND counter = name), 0) AS leased
            FROM counter_in_log AS known WHERE in_log > 0 ORDER BY in_log, name""";

    private static final String OUT = """
            SELECT counter, sum(CASE WHEN returned THEN -amount ELSE amount END) AS out,
                   coalesce((SELECT taken FROM counter_in_log WHERE in_log = 0 AND name = counter), 0) AS taken
            FROM counter_block WHERE in_log = 0 GROUP BY counter ORDER BY counter""";

    private final FindingTally tally = new FindingTally();
    private final CheckMoment moment;

    private CounterBlockInvariant(CheckMoment moment) {
        this.moment = moment;
    }

    public static InvariantVerdict check(Connection connection, CheckMoment moment) throws SQLException {
        CounterBlockInvariant blocks = new CounterBlockInvariant(moment);
        try (Statement statement = connection.createStatement()) {
            statement.setFetchSize(EventTableRow.FETCH_ROWS);
            try (ResultSet count = statement.executeQuery(COUNT)) {
                count.next();
                blocks.tally.checked(count.getLong(1));
            }
            try (ResultSet rows = statement.executeQuery(ONE_SIDED)) {
                while (rows.next()) {
                    blocks.oneSided(rows);
                }
            }
            try (ResultSet rows = statement.executeQuery(LIMITS)) {
                while (rows.next()) {
                    blocks.limit(rows);
                }
            }
            try (ResultSet rows = statement.executeQuery(OUT)) {
                while (rows.next()) {
                    blocks.out(rows);
                }
            }
        }
        return blocks.tally.verdict("blocks", "a block of a counter is in one log at a time");
    }

    private void oneSided(ResultSet row) throws SQLException {
        // After a crash a block that was sent may wait, until a log needs a block the next time.
        boolean isUnknown = row.getBoolean("is_sent") || (row.getBoolean("is_new") && moment != CheckMoment.AT_REST);
        if (!isUnknown) {
            tally.violated("log %d has received block %d of log %d, %d of %s, and the other log has not sent it"
                    .formatted(
                            row.getLong("in_log"),
                            row.getLong("number"),
                            row.getLong("log"),
                            row.getLong("amount"),
                            row.getString("counter")));
        }
    }

    private void limit(ResultSet row) throws SQLException {
        tally.checked();
        if (row.getLong("total") > row.getLong("leased")) {
            tally.violated("log %d may take %d of %s, and its blocks have %d"
                    .formatted(
                            row.getLong("in_log"), row.getLong("total"), row.getString("name"), row.getLong("leased")));
        }
    }

    private void out(ResultSet row) throws SQLException {
        tally.checked();
        if (row.getLong("taken") < row.getLong("out")) {
            tally.violated("counter %s has taken %d in the home log, and %d of it are out"
                    .formatted(row.getString("counter"), row.getLong("taken"), row.getLong("out")));
        }
    }
}
