package lottery.store.commit;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import lottery.store.log.Log;
import lottery.store.log.Logs;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.RowCallbackHandler;

/**
 * Leases blocks of counters from the home log to the other logs, so that each log takes in its own commits. A block is
 * a share of what is left, so blocks shrink towards the end. If the home log has too little left, the other logs first
 * give back what they have not taken. So nothing is left anywhere if a lease fails, as far as all logs can be reached.
 *
 * <p>A block is written in one log, and then taken over by the other one. After a crash in between, the next lease
 * takes it over. Each step is a transaction of its own, in one log.
 */
public final class CounterBlocks {

    private static final Logger LOG = LoggerFactory.getLogger(CounterBlocks.class);

    /** Each lease gets this part of what is left, divided by the number of logs. */
    private static final int PARTS_PER_LOG = 2;

    private final Logs logs;

    public CounterBlocks(Logs logs) {
        this.logs = logs;
    }

    private record Block(int number, String counter, long amount) {}

    /**
     * Tries to make it possible for a log to take an amount from a counter.
     *
     * @param log not the home log
     * @param total the limit of the counter over all logs
     * @return how much the log can take now
     */
    public long lease(Log log, String counter, long amount, long total) {
        receive(logs.home(), log, log, false);
        long spare = spare(log, counter);
        if (spare >= amount) {
            return spare;
        }
        if (!leaseAtHome(log, counter, amount - spare, total)) {
            recall(log, counter);
            if (!leaseAtHome(log, counter, amount - spare, total)) {
                return spare;
            }
        }
        receive(logs.home(), log, log, false);
        return spare(log, counter);
    }

    private static long spare(Log log, String counter) {
        return log.sql()
                .sql("SELECT total - taken FROM counter WHERE name = ?")
                .param(counter)
                .query((row, _) -> row.getLong(1))
                .optional()
                .orElse(0L);
    }

    private boolean leaseAtHome(Log log, String counter, long amount, long total) {
        return logs.home()
                        .sql()
                        .sql("SELECT counter_block_lease(?, ?, ?, ?, ?)")
                        .params(
                                log.number(),
                                counter,
                                amount,
                                PARTS_PER_LOG * logs.all().size(),
                                total)
                        .query((row, _) -> row.getLong(1))
                        .single()
                > 0;
    }

    /** Lets all other logs give back what they have not taken. A log that cannot be reached keeps it for now. */
    private void recall(Log forLog, String counter) {
        for (Log other : logs.all()) {
            if (!other.isHome() && other != forLog) {
                try {
                    receive(logs.home(), other, other, false);
                    other.sql()
                            .sql("SELECT counter_block_return(?, ?)")
                            .params(other.number(), counter)
                            .query()
                            .singleRow();
                    receive(other, logs.home(), other, true);
                } catch (DataAccessException e) {
                    LOG.warn("{} cannot give back what it has not taken of {}: {}.", other, counter, e.getMessage());
                }
            }
        }
    }

    /** Takes over the blocks that were written in one log for another one. */
    private static void receive(Log from, Log to, Log holder, boolean returned) {
        int known = to.sql()
                .sql("SELECT coalesce(max(number), 0) FROM counter_block WHERE log = ? AND returned = ?")
                .params(holder.number(), returned)
                .query((row, _) -> row.getInt(1))
                .single();
        List<Block> blocks = from.sql()
                .sql("""
                        SELECT number, counter, amount FROM counter_block
                        WHERE log = ? AND returned = ? AND number > ? ORDER BY number""")
                .params(holder.number(), returned, known)
                .query((row, _) -> new Block(row.getInt(1), row.getString(2), row.getLong(3)))
                .list();
        for (Block block : blocks) {
            to.sql()
                    .sql("SELECT counter_block_receive(?, ?, ?, ?, ?)")
                    .params(holder.number(), returned, block.number(), block.counter(), block.amount())
                    .query()
                    .singleRow();
        }
    }

    /** Returns how much is taken over all logs. A counter of which nothing was ever taken is not in the map. */
    public Map<String, Long> taken(List<String> counters) {
        Map<String, Long> taken = new HashMap<>();
        RowCallbackHandler add = row -> taken.merge(row.getString(1), row.getLong(2), Long::sum);
        for (Log log : logs.all()) {
            log.sql()
                    .sql(log.isHome() ? """
                            SELECT name, taken - coalesce(
                                (SELECT sum(CASE WHEN returned THEN -amount ELSE amount END)::bigint
                                 FROM counter_block WHERE counter = name), 0)
                            FROM counter WHERE name = ANY (?)""" : "SELECT name, taken FROM counter WHERE name = ANY (?)")
                    .param(counters.toArray(String[]::new))
                    .query(add);
        }
        return taken;
    }
}
