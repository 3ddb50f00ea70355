package lottery.store.projection;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The replays that are under way, and how far they are. Like a token, one belongs to the process that has claimed it,
 * and may be taken over when that has not been heard of for a while.
 */
final class ReplayTable {

    /** A cause is for people. */
    private static final int CAUSE_LENGTH_MAX = 2_000;

    /** Without a word for so long, its process has ended. Whoever is at it says so more often. */
    static final Duration CLAIM_MAX = Duration.ofSeconds(10);

    /** Whoever takes longer for one stretch does not come to its end, and loses the claim. */
    private static final Duration STRETCH_MAX = Duration.ofMinutes(5);

    private static final int KEEP_MAX_SECONDS = 5;

    /** One that has failed may begin anew. */
    private static final String BEGIN = """
            INSERT INTO replay (processor) VALUES (:processor)
            ON CONFLICT (processor) DO UPDATE
            SET position = 0, begun_at = clock_timestamp(), owner = NULL, resumed_at = NULL, failed_because = NULL
            WHERE replay.failed_because IS NOT NULL""";

    private static final String FREE = " WHERE failed_because IS NULL"
            + " AND (owner IS NULL OR claimed_at < clock_timestamp() - :claim_max * interval '1 millisecond')";

    private static final String CLAIM = """
            UPDATE replay SET owner = :me, claimed_at = clock_timestamp(),
                              resumed_at = clock_timestamp(), resumed_from = position""" + FREE + " AND processor = :processor RETURNING position";

    private static final String MINE = " WHERE processor = :processor AND owner = :me";

    private static final String MINE_AT = MINE + " AND position = :at";

    private final JdbcClient database;
    private final String me = ManagementFactory.getRuntimeMXBean().getName() + " " + UUID.randomUUID();

    /** When this process has come a step further, with whichever replay it is at. */
    private volatile long steppedNanos = System.nanoTime();

    ReplayTable(JdbcClient database) {
        this.database = database;
    }

    private JdbcClient.StatementSpec ask(String sql, String processor) {
        return database.sql(sql).param("processor", processor).param("me", me);
    }

    /** Whether it begins: it does not if it is under way already. */
    boolean begin(String processor) {
        return ask(BEGIN, processor).update() == 1;
    }

    /** Those that nobody carries out. */
    List<String> waiting() {
        return database.sql("SELECT processor FROM replay" + FREE + " ORDER BY begun_at")
                .param("claim_max", CLAIM_MAX.toMillis())
                .query((row, i) -> row.getString("processor"))
                .list();
    }

    /** Where it goes on, if nobody else is at it. */
    Optional<Long> claim(String processor) {
        steppedNanos = System.nanoTime();
        List<Long> claimed = ask(CLAIM, processor)
                .param("claim_max", CLAIM_MAX.toMillis())
                .query((row, i) -> row.getLong("position"))
                .list();
        return claimed.stream().findFirst();
    }

    /**
     * Everything up to here is in the new tables, from this transaction on, if all that came before it still is: a
     * crash of PostgreSQL may have taken some of it back.
     */
    void moveTo(long from, long position, String processor) {
        steppedNanos = System.nanoTime();
        onlyIfMine(
                ask("UPDATE replay SET position = :position, claimed_at = clock_timestamp()" + MINE_AT, processor)
                        .param("at", from)
                        .param("position", position)
                        .update(),
                processor);
    }

    /** It is still under way, though the next stretch takes its time. False: it is so no more. */
    boolean keep(String processor) {
        if (System.nanoTime() - steppedNanos > STRETCH_MAX.toNanos()) {
            return true; // Perhaps. Whoever thinks otherwise may have it.
        }
        return ask("UPDATE replay SET claimed_at = clock_timestamp()" + MINE, processor)
                        .withQueryTimeout(KEEP_MAX_SECONDS)
                        .update()
                == 1;
    }

    void end(long position, String processor) {
        onlyIfMine(
                ask("DELETE FROM replay" + MINE_AT, processor)
                        .param("at", position)
                        .update(),
                processor);
    }

    void release(String processor) {
        ask("UPDATE replay SET owner = NULL" + MINE, processor).update();
    }

    void fail(String processor, Throwable cause) {
        String text = String.valueOf(cause.getMessage()).replace('\0', ' ');
        ask("UPDATE replay SET failed_because = :cause, owner = NULL" + MINE, processor)
                .param("cause", text.length() <= CAUSE_LENGTH_MAX ? text : text.substring(0, CAUSE_LENGTH_MAX))
                .update();
    }

    private static void onlyIfMine(int rows, String processor) {
        if (rows == 0) {
            throw new Lost(processor);
        }
    }

    /** Another process has it, it is not where it was left, or nobody wants it any more. */
    static final class Lost extends RuntimeException {

        private static final long serialVersionUID = 1;

        Lost(String processor) {
            super("the replay of %s is another process's, or somewhere else".formatted(processor), null, false, false);
        }
    }
}
