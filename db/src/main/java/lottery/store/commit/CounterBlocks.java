package lottery.store.commit;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import lottery.store.connection.SynchronousStandby;
import lottery.store.log.Log;
import lottery.store.log.Logs;
import org.springframework.jdbc.core.RowCallbackHandler;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Leases blocks of counters from the home log to the other logs, so that each log takes in its own commits. A block is
 * a share of what is left, so blocks shrink towards the end. If the home log has too little left, the other logs first
 * give back what they have not taken. So nothing is left anywhere if a lease fails, as far as all logs can be reached.
 *
 * <p>A block is written in one log, and then taken over by the other one. After a crash in between, the next lease
 * takes it over. Each step is a transaction of its own, in one log.
 */
public final class CounterBlocks {

    /** Each lease gets this part of what is left, divided by the number of logs. */
    private static final int PARTS_PER_LOG = 2;

    /** How long other logs are given to give back what they have not taken, and to say what they have taken. */
    private static final Duration RECALL_MAX = Duration.ofSeconds(2);

    private static final Duration READ_MAX = Duration.ofMillis(500);

    private final Logs logs;

    public CounterBlocks(Logs logs) {
        this.logs = logs;
    }

    private record Block(int number, String counter, long amount) {}

    /**
     * It says what a log can still take from a counter.
     *
     * @param here how much it can take now
     * @param anywhere how much nobody has taken. It may be on its way between two logs
     * @param isComplete whether all logs were asked. If not, what the other ones hold is not in {@code anywhere}
     */
    public record Remainder(long here, long anywhere, boolean isComplete) {}

    /**
     * Tries to make it possible for a log to take an amount from a counter. It uses connections of its own, because the
     * transaction of its caller may be about to be rolled back. If less is left here than wanted, but not anywhere,
     * another log was about to take it, and the caller should try again.
     *
     * @param total the limit of the counter over all logs
     */
    public Remainder lease(Log log, String counter, long amount, long total) {
        long here = leased(log, counter, amount, total);
        if (here >= amount) {
            return new Remainder(here, here, true);
        }
        Map<Log, List<CounterReading>> others = others(List.of(counter), RECALL_MAX);
        long taken = taken(others, List.of(counter), logs.home().sqlApart()).getOrDefault(counter, 0L);
        return new Remainder(here, total - taken, others.size() == logs.all().size());
    }

    private long leased(Log log, String counter, long amount, long total) {
        long spare = spare(log, counter, total);
        if (spare >= amount) {
            return spare;
        }
        if (log.isHome()) {
            recall(log, counter);
            return spare(log, counter, total);
        }
        receive(logs.home(), log, log, false);
        spare = spare(log, counter, total);
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
        return spare(log, counter, total);
    }

    /** Returns how much a log can take: of its blocks, or at home of the counter itself. */
    private static long spare(Log log, String counter, long total) {
        return log.sqlApart()
                .sql("SELECT taken, total FROM counter WHERE name = ?")
                .param(counter)
                .query((row, _) -> (log.isHome() ? total : row.getLong(2)) - row.getLong(1))
                .optional()
                .orElse(log.isHome() ? total : 0L);
    }

    private boolean leaseAtHome(Log log, String counter, long amount, long total) {
        return logs.home()
                        .sqlApart()
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

    /** Lets all other logs give back what they have not taken. A log that does not answer in time keeps it for now. */
    private void recall(Log forLog, String counter) {
        var _ = logs.readReachable(RECALL_MAX, log -> log.isHome() || hasGivenBack(log, forLog, counter));
    }

    private boolean hasGivenBack(Log log, Log forLog, String counter) {
        if (log != forLog) {
            receive(logs.home(), log, log, false);
            log.sqlApart()
                    .sql("SELECT counter_block_return(?, ?)")
                    .params(log.number(), counter)
                    .query()
                    .singleRow();
        }
        receive(log, logs.home(), log, true);
        return true;
    }

    /**
     * Takes over the blocks that were written in one log for another one, as soon as the synchronous standby of the
     * first one has them.
     */
    private static void receive(Log from, Log to, Log holder, boolean returned) {
        int known = to.sqlApart()
                .sql("SELECT coalesce(max(number), 0) FROM counter_block WHERE log = ? AND returned = ?")
                .params(holder.number(), returned)
                .query((row, _) -> row.getInt(1))
                .single();
        List<Block> blocks = from.sqlApart()
                .sql("""
                        SELECT number, counter, amount FROM counter_block
                        WHERE log = ? AND returned = ? AND number > ? ORDER BY number""")
                .params(holder.number(), returned, known)
                .query((row, _) -> new Block(row.getInt(1), row.getString(2), row.getLong(3)))
                .list();
        if (!blocks.isEmpty()) {
            from.sqlApart().sql(SynchronousStandby.AWAIT).query().listOfRows();
        }
        for (Block block : blocks) {
            to.sqlApart()
                    .sql("SELECT counter_block_receive(?, ?, ?, ?, ?)")
                    .params(holder.number(), returned, block.number(), block.counter(), block.amount())
                    .query()
                    .singleRow();
        }
    }

    /**
     * Returns how much is taken over all logs. A counter of which nothing was ever taken is not in the map. A block of
     * a log that does not answer in time counts as taken, because nobody else can take it.
     */
    public Map<String, Long> taken(List<String> counters) {
        return taken(others(counters, READ_MAX), counters, logs.home().sql());
    }

    private Map<Log, List<CounterReading>> others(List<String> counters, Duration max) {
        return logs.readReachable(max, log -> log.isHome() ? List.of() : CounterReading.in(log, counters));
    }

    private static Map<String, Long> taken(
            Map<Log, List<CounterReading>> others, List<String> counters, JdbcClient home) {
        Map<String, Long> taken = new HashMap<>();
        RowCallbackHandler add = row -> taken.merge(row.getString(1), row.getLong(2), Long::sum);
        home.sql("""
                        SELECT name, taken - coalesce(
                            (SELECT sum(CASE WHEN returned THEN -amount ELSE amount END)::bigint
                             FROM counter_block WHERE counter = name AND log = ANY (?)), 0)
                        FROM counter WHERE name = ANY (?)""")
                .params(
                        others.keySet().stream().map(Log::number).toArray(Integer[]::new),
                        counters.toArray(String[]::new))
                .query(add);
        others.values().stream()
                .flatMap(List::stream)
                .forEach(reading -> taken.merge(reading.counter(), reading.taken(), Long::sum));
        return taken;
    }

    private record CounterReading(String counter, long taken) {

        static List<CounterReading> in(Log log, List<String> counters) {
            return log.sql()
                    .sql("SELECT name, taken FROM counter WHERE name = ANY (?)")
                    .params((Object) counters.toArray(String[]::new))
                    .query((row, _) -> new CounterReading(row.getString(1), row.getLong(2)))
                    .list();
        }
    }
}
