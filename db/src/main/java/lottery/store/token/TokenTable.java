package lottery.store.token;

import java.lang.management.ManagementFactory;
import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToLongFunction;
import lottery.store.log.Log;
import lottery.store.log.LogDivergenceGuard;
import lottery.store.log.LogDivergenceGuard.LogEntry;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Stores the position of each processor, with one statement per step. A token belongs to the process that has claimed
 * it. Only the owner moves the token. While a process is frozen, another process may take over its token. Afterwards
 * the frozen process cannot move the token back.
 *
 * <p>A transaction that moves a token does not wait for the disk. If PostgreSQL crashes right after the commit, the
 * token and all writes of that transaction are undone, as if the process had been killed before the commit. The owner
 * then finds an earlier token than it expects. Therefore it loses its claim, and has to read the token again.
 */
public final class TokenTable {

    private static final Logger LOG = LoggerFactory.getLogger(TokenTable.class);

    private static final String FREE_FOR_ME = "(owner IS NULL OR owner = :me"
            + " OR claimed_at < clock_timestamp() - :claim_max * interval '1 millisecond')";

    private static final String THIS_ONE = " WHERE processor = :processor AND segment = :segment";

    private static final String CLAIM = "UPDATE token SET owner = :me, claimed_at = clock_timestamp()" + THIS_ONE
            + " AND " + FREE_FOR_ME + " RETURNING token::text";

    /**
     * Moves the token and returns its previous value. The token moves only if the log has the newest event that this
     * process knows. Otherwise results of events that are gone could be stored.
     */
    private static final String MOVE =
            "UPDATE token SET token = :token::jsonb, claimed_at = clock_timestamp()" + THIS_ONE + " AND owner = :me"
                    + " AND log_has(:known_position, :known_event)"
                    + " RETURNING old.token::text, set_config('synchronous_commit', 'off', true)";

    /** Extends the claim and returns the token. */
    private static final String EXTEND =
            "UPDATE token SET claimed_at = clock_timestamp()" + THIS_ONE + " AND owner = :me RETURNING token::text";

    /**
     * Names the members of a claimed token. A member that is not stored yet has not handled the events before the
     * token. If its data can be rebuilt, a replay does that first.
     */
    private static final String FOLLOW = """
            UPDATE token SET
                members = ARRAY(
                    SELECT name FROM unnest(:names::text[]) AS name
                    WHERE members IS NULL OR name = ANY (members) OR name <> ALL (:rebuilt::text[])),
                newcomers = ARRAY(
                    SELECT name FROM unnest(:rebuilt::text[]) AS name WHERE name <> ALL (members))
            WHERE processor = :processor AND segment = :segment AND owner = :me
            RETURNING old.members AS before, new.members AS members, new.newcomers AS newcomers""";

    private static final String LEAVE =
            "UPDATE token SET members = array_remove(members, :member)" + THIS_ONE + " AND owner = :me";

    private static final String RELEASE = "UPDATE token SET owner = NULL" + THIS_ONE + " AND owner = :me";

    private static final String BEGIN = "INSERT INTO token (processor, segment, token)"
            + " VALUES (:processor, :segment, :token::jsonb) ON CONFLICT DO NOTHING";

    private static final String DELETE = "DELETE FROM token" + THIS_ONE + " AND owner = :me";

    private static final String SEGMENTS = "SELECT segment FROM token WHERE processor = :processor ORDER BY segment";

    private static final String FREE_SEGMENTS =
            "SELECT segment FROM token WHERE processor = :processor AND " + FREE_FOR_ME + " ORDER BY segment";

    private final Log log;
    private final LogDivergenceGuard divergenceGuard;
    private final Duration claimMax;
    private final ToLongFunction<@Nullable String> positions;
    private final String me;

    /**
     * The expected positions of the tokens that this process has claimed. They are right unless a crash of PostgreSQL
     * has undone a commit.
     */
    private final Map<TokenKey, Long> moved = new ConcurrentHashMap<>();

    /** Which part of a processor's events a token is for. */
    public record TokenKey(String processor, int segment) {}

    /**
     * @param claimMax how long a claim lasts without an extension; after this time another process may take over the
     *     token
     * @param positions returns the position up to which a token has seen every event; a token is JSON, or null
     */
    public TokenTable(
            Log log,
            LogDivergenceGuard divergenceGuard,
            Duration claimMax,
            ToLongFunction<@Nullable String> positions) {
        this.log = log;
        this.divergenceGuard = divergenceGuard;
        this.claimMax = claimMax;
        this.positions = positions;
        this.me = ManagementFactory.getRuntimeMXBean().getName() + " " + UUID.randomUUID();
    }

    private JdbcClient.StatementSpec ask(String sql, String processor) {
        return log.sql().sql(sql).param("processor", processor).param("me", me).param("claim_max", claimMax.toMillis());
    }

    private JdbcClient.StatementSpec ask(String sql, TokenKey key) {
        return ask(sql, key.processor()).param("segment", key.segment());
    }

    /** Creates a token that no process owns. Returns false if it exists. */
    public boolean create(TokenKey key, @Nullable String token) {
        return ask(BEGIN, key).param("token", token).update() == 1;
    }

    /**
     * Moves a token that this process owns.
     *
     * @throws TokenLostException if it owns it no more, or if PostgreSQL has crashed and lost an earlier move
     */
    public void move(TokenKey key, @Nullable String token) {
        long expected = moved.getOrDefault(key, 0L);
        LogEntry known = divergenceGuard.newest();
        onlyIfWhole(
                ask(MOVE, key)
                        .param("known_position", known.position())
                        .param("known_event", known.id())
                        .param("token", token)
                        .query((row, i) -> positions.applyAsLong(row.getString(1)))
                        .list(),
                key,
                expected);
        afterCommit(() -> moved.put(key, positions.applyAsLong(token)));
    }

    private static void afterCommit(Runnable news) {
        if (!TransactionSynchronizationManager.isSynchronizationActive()) {
            news.run();
            return;
        }
        TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
            @Override
            public void afterCommit() {
                news.run();
            }
        });
    }

    /**
     * Claims a token, and returns it.
     *
     * @throws TokenLostException if another process owns it
     */
    public @Nullable String claim(TokenKey key) {
        List<@Nullable String> claimed = ask(CLAIM, key).query(String.class).list();
        onlyIfMine(claimed.size(), key);
        String token = claimed.getFirst();
        moved.put(key, positions.applyAsLong(token));
        return token;
    }

    /**
     * Returns the members that follow a claimed token. All others wait until a replay has built their data. A member
     * whose data cannot be rebuilt follows from now on.
     *
     * @param members all members that this process has
     * @param rebuilt those of them that a replay can build
     */
    public Set<String> follow(TokenKey key, Set<String> members, Set<String> rebuilt) {
        List<Set<String>> following = ask(FOLLOW, key)
                .param("names", members.toArray(String[]::new))
                .param("rebuilt", rebuilt.toArray(String[]::new))
                .query((row, i) -> {
                    tell(key, names(row, "before"), names(row, "members"), names(row, "newcomers"));
                    return names(row, "members");
                })
                .list();
        onlyIfMine(following.size(), key);
        return following.getFirst();
    }

    private static void tell(TokenKey key, Set<String> before, Set<String> members, Set<String> newcomers) {
        if (!newcomers.isEmpty()) {
            LOG.info("Replays build {} before the processor {} goes on with them.", newcomers, key.processor());
        }
        if (!before.isEmpty() && !before.containsAll(members)) {
            LOG.warn(
                    "New members follow the processor {} from now on, and get no earlier event: it had {} and has {}.",
                    key.processor(),
                    before,
                    members);
        }
    }

    private static Set<String> names(ResultSet row, String column) throws SQLException {
        Array names = row.getArray(column);
        return names == null ? Set.of() : Set.of((String[]) names.getArray());
    }

    /** Lets a member follow no more. A replay has to build its data before it follows again. */
    public void leave(TokenKey key, String member) {
        onlyIfMine(ask(LEAVE, key).param("member", member).update(), key);
    }

    /**
     * Extends a claim.
     *
     * @throws TokenLostException if this process owns the token no more, or if PostgreSQL has crashed and lost a move
     */
    public void extend(TokenKey key) {
        // The expected position is read before the statement runs. Afterwards, another transaction could have moved it
        // to a position that the statement did not see.
        long expected = moved.getOrDefault(key, 0L);
        onlyIfWhole(
                ask(EXTEND, key)
                        .query((row, i) -> positions.applyAsLong(row.getString(1)))
                        .list(),
                key,
                expected);
    }

    private static void onlyIfWhole(List<Long> positions, TokenKey key, long expected) {
        onlyIfMine(positions.size(), key);
        if (positions.getFirst() < expected) {
            throw new TokenLostException(
                    "segment %d of %s is back at position %d, and was at %d: PostgreSQL has crashed"
                            .formatted(key.segment(), key.processor(), positions.getFirst(), expected));
        }
    }

    private static void onlyIfMine(int rows, TokenKey key) {
        if (rows == 0) {
            throw new TokenLostException(
                    "another process has segment %d of %s, or it does not exist, or the log has gone back"
                            .formatted(key.segment(), key.processor()));
        }
    }

    /** Gives a claim up, if this process has it. */
    public void release(TokenKey key) {
        ask(RELEASE, key).update();
    }

    /** Deletes a token that this process owns. */
    public void delete(TokenKey key) {
        onlyIfMine(ask(DELETE, key).update(), key);
        moved.remove(key);
    }

    /** Returns the segments of a processor, in ascending order. */
    public List<Integer> segments(String processor) {
        return ask(SEGMENTS, processor).query((row, i) -> row.getInt(1)).list();
    }

    /** Returns the segments of a processor that this process may claim. */
    public List<Integer> freeSegments(String processor) {
        return ask(FREE_SEGMENTS, processor).query((row, i) -> row.getInt(1)).list();
    }
}
