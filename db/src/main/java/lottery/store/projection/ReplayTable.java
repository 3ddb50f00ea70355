package lottery.store.projection;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Stores the replays under way and their positions. Like a token, a replay belongs to the process that has claimed it.
 * Another process may take it over when the owner has not renewed its claim for a while.
 */
final class ReplayTable {

    /** A cause is text for operators and is cut to this length. */
    private static final int CAUSE_LENGTH_MAX = 2_000;

    /**
     * If the claim was not renewed for this time, the owner counts as ended. A live owner renews its claim more often.
     */
    static final Duration CLAIM_MAX = Duration.ofSeconds(10);

    /** An owner that needs longer than this for one range is stuck, and its claim is not renewed any more. */
    private static final Duration STRETCH_MAX = Duration.ofMinutes(5);

    private static final int KEEP_MAX_SECONDS = 5;

    /** Inserts a new replay, or restarts one that has failed. */
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

    /** Finds the read models that processors have to be joined by, and for which no replay was ever begun. */
    private static final String NEWCOMERS = """
            SELECT newcomer FROM token CROSS JOIN unnest(newcomers) AS newcomer
            WHERE NOT EXISTS (SELECT FROM replay WHERE replay.processor = newcomer)""";

    /**
     * Lets a read model that is up to date with a token follow it. The owner of the token loses its claim, and finds
     * its new member when it claims the token again. So it cannot move the token without this member.
     */
    private static final String JOIN = """
            UPDATE token SET members = array_append(members, :processor),
                             newcomers = array_remove(newcomers, :processor), owner = NULL
            WHERE processor = :shared AND :processor = ANY (newcomers)""";

    private static final String MINE = " WHERE processor = :processor AND owner = :me";

    private static final String MINE_AT = MINE + " AND position = :at";

    private final JdbcClient database;
    private final String me = ManagementFactory.getRuntimeMXBean().getName() + " " + UUID.randomUUID();

    /** When this process last made progress with any replay. */
    private volatile long steppedNanos = System.nanoTime();

    ReplayTable(JdbcClient database) {
        this.database = database;
    }

    private JdbcClient.StatementSpec ask(String sql, String processor) {
        return database.sql(sql).param("processor", processor).param("me", me);
    }

    /** Begins a replay. Returns false if one is under way already. */
    boolean begin(String processor) {
        return ask(BEGIN, processor).update() == 1;
    }

    /** Returns the read models that have to be built before they follow their processors. */
    List<String> newcomers() {
        return database.sql(NEWCOMERS)
                .query((row, i) -> row.getString("newcomer"))
                .list();
    }

    /** Lets a newcomer follow its processor from the token on, which the current transaction has locked. */
    void join(String processor, String shared) {
        ask(JOIN, processor).param("shared", shared).update();
    }

    /** Returns the read models whose replays no process carries out. */
    List<String> waiting() {
        return database.sql("SELECT processor FROM replay" + FREE + " ORDER BY begun_at")
                .param("claim_max", CLAIM_MAX.toMillis())
                .query((row, i) -> row.getString("processor"))
                .list();
    }

    /** Claims a replay that no other process has, and returns the position from which it continues. */
    Optional<Long> claim(String processor) {
        steppedNanos = System.nanoTime();
        List<Long> claimed = ask(CLAIM, processor)
                .param("claim_max", CLAIM_MAX.toMillis())
                .query((row, i) -> row.getLong("position"))
                .list();
        return claimed.stream().findFirst();
    }

    /**
     * Moves the position in the current transaction, but only if the stored position still is {@code from}, to which
     * the caller last moved it. The stored position may be lower, because a crash of PostgreSQL can undo the last
     * ranges together with their positions.
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

    /** Renews the claim during a long range, if this process still has the claim. */
    void keep(String processor) {
        // After a long range the claim is not renewed, so that another process may take it over.
        if (System.nanoTime() - steppedNanos <= STRETCH_MAX.toNanos()) {
            ask("UPDATE replay SET claimed_at = clock_timestamp()" + MINE, processor)
                    .withQueryTimeout(KEEP_MAX_SECONDS)
                    .update();
        }
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
            throw new ReplayLostException(processor);
        }
    }

    /** Another process has the replay, its position is not the expected one, or it was removed. */
    static final class ReplayLostException extends RuntimeException {

        private static final long serialVersionUID = 1;

        ReplayLostException(String processor) {
            super(
                    "another process carries out the replay of %s, or it has ended".formatted(processor),
                    null,
                    false,
                    false);
        }
    }
}
