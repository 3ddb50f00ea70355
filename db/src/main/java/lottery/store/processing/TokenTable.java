package lottery.store.processing;

import java.lang.management.ManagementFactory;
import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import lottery.store.log.LogDivergenceGuard;
import lottery.store.log.LogDivergenceGuard.LogEntry;
import org.axonframework.eventhandling.Segment;
import org.axonframework.eventhandling.TrackingToken;
import org.axonframework.eventhandling.tokenstore.TokenStore;
import org.axonframework.eventhandling.tokenstore.UnableToClaimTokenException;
import org.axonframework.eventhandling.tokenstore.UnableToInitializeTokenException;
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
final class TokenTable implements TokenStore {

    private static final Logger log = LoggerFactory.getLogger(TokenTable.class);

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

    private final JdbcClient database;
    private final LogDivergenceGuard divergenceGuard;
    private final Duration claimMax;
    private final String me;

    /**
     * The expected positions of the tokens that this process has claimed. They are right unless a crash of PostgreSQL
     * has undone a commit.
     */
    private final Map<TokenKey, Long> moved = new ConcurrentHashMap<>();

    private record TokenKey(String processor, int segment) {}

    /**
     * @param claimMax how long a claim lasts without an extension; after this time another process may take over the
     *     token
     */
    TokenTable(JdbcClient database, LogDivergenceGuard divergenceGuard, Duration claimMax) {
        this.database = database;
        this.divergenceGuard = divergenceGuard;
        this.claimMax = claimMax;
        this.me = ManagementFactory.getRuntimeMXBean().getName() + " " + UUID.randomUUID();
    }

    private JdbcClient.StatementSpec ask(String sql, String processor) {
        return database.sql(sql).param("processor", processor).param("me", me).param("claim_max", claimMax.toMillis());
    }

    @Override
    public void initializeTokenSegments(String processorName, int segmentCount) {
        initializeTokenSegments(processorName, segmentCount, null);
    }

    @Override
    public void initializeTokenSegments(String processorName, int segmentCount, @Nullable TrackingToken initialToken) {
        for (int segment = 0; segment < segmentCount; segment++) {
            if (!begin(processorName, segment, initialToken)) {
                throw new UnableToClaimTokenException("%s has a segment %d already".formatted(processorName, segment));
            }
        }
    }

    @Override
    public void initializeSegment(@Nullable TrackingToken token, String processorName, int segment) {
        if (!begin(processorName, segment, token)) {
            throw new UnableToInitializeTokenException("%s has a segment %d already".formatted(processorName, segment));
        }
    }

    private boolean begin(String processor, int segment, @Nullable TrackingToken token) {
        return ask(BEGIN, processor)
                        .param("segment", segment)
                        .param("token", TokenText.of(token))
                        .update()
                == 1;
    }

    @Override
    public void storeToken(@Nullable TrackingToken token, String processorName, int segment) {
        TokenKey key = new TokenKey(processorName, segment);
        long expected = moved.getOrDefault(key, 0L);
        LogEntry known = divergenceGuard.newest();
        onlyIfWhole(
                ask(MOVE, processorName)
                        .param("known_position", known.position())
                        .param("known_event", known.id())
                        .param("segment", segment)
                        .param("token", TokenText.of(token))
                        .query((row, i) -> position(TokenText.token(row.getString(1))))
                        .list(),
                key,
                expected);
        afterCommit(() -> moved.put(key, position(token)));
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

    @Override
    public @Nullable TrackingToken fetchToken(String processorName, int segment) {
        TokenKey key = new TokenKey(processorName, segment);
        List<@Nullable String> claimed = ask(CLAIM, processorName)
                .param("segment", segment)
                .query(String.class)
                .list();
        onlyIfMine(claimed.size(), key);
        TrackingToken token = TokenText.token(claimed.getFirst());
        moved.put(key, position(token));
        return token;
    }

    /**
     * Claims a segment that the caller knows. If the segment was split or merged meanwhile, the caller would handle
     * other events than the token stands for, so it gets no claim. Only the owner of a claim splits or merges a
     * segment.
     */
    @Override
    public @Nullable TrackingToken fetchToken(String processorName, Segment segment) {
        TrackingToken token = fetchToken(processorName, segment.getSegmentId());
        Segment now = Segment.computeSegment(segment.getSegmentId(), fetchSegments(processorName));
        if (now.getMask() != segment.getMask()) {
            releaseClaim(processorName, segment.getSegmentId());
            throw new UnableToClaimTokenException(
                    "segment %d of %s was split or merged".formatted(segment.getSegmentId(), processorName));
        }
        return token;
    }

    /**
     * Returns the members that follow a claimed token. All others wait until a replay has built their data. A member
     * whose data cannot be rebuilt follows from now on.
     *
     * @param members all members that this process has
     * @param rebuilt those of them that a replay can build
     */
    Set<String> follow(String processorName, int segment, Set<String> members, Set<String> rebuilt) {
        TokenKey key = new TokenKey(processorName, segment);
        List<Set<String>> following = ask(FOLLOW, processorName)
                .param("segment", segment)
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
            log.info("Replays build {} before the processor {} goes on with them.", newcomers, key.processor());
        }
        if (!before.isEmpty() && !before.containsAll(members)) {
            log.warn(
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
    void leave(String processorName, int segment, String member) {
        TokenKey key = new TokenKey(processorName, segment);
        onlyIfMine(
                ask(LEAVE, processorName)
                        .param("segment", segment)
                        .param("member", member)
                        .update(),
                key);
    }

    @Override
    public void extendClaim(String processorName, int segment) {
        TokenKey key = new TokenKey(processorName, segment);
        // The expected position is read before the statement runs. Afterwards, another transaction could have moved it
        // to a position that the statement did not see.
        long expected = moved.getOrDefault(key, 0L);
        onlyIfWhole(
                ask(EXTEND, processorName)
                        .param("segment", segment)
                        .query((row, i) -> position(TokenText.token(row.getString(1))))
                        .list(),
                key,
                expected);
    }

    private static void onlyIfWhole(List<Long> positions, TokenKey key, long expected) {
        onlyIfMine(positions.size(), key);
        if (positions.getFirst() < expected) {
            throw new UnableToClaimTokenException(
                    "segment %d of %s is back at position %d, and was at %d: PostgreSQL has crashed"
                            .formatted(key.segment(), key.processor(), positions.getFirst(), expected));
        }
    }

    private static long position(@Nullable TrackingToken token) {
        return token == null ? 0 : token.position().orElse(0);
    }

    private static void onlyIfMine(int rows, TokenKey key) {
        if (rows == 0) {
            throw new UnableToClaimTokenException(
                    "another process has segment %d of %s, or it does not exist, or the log has gone back"
                            .formatted(key.segment(), key.processor()));
        }
    }

    @Override
    public void releaseClaim(String processorName, int segment) {
        ask(RELEASE, processorName).param("segment", segment).update();
    }

    @Override
    public boolean requiresExplicitSegmentInitialization() {
        return true;
    }

    @Override
    public void deleteToken(String processorName, int segment) {
        TokenKey key = new TokenKey(processorName, segment);
        onlyIfMine(ask(DELETE, processorName).param("segment", segment).update(), key);
        moved.remove(key);
    }

    @Override
    public int[] fetchSegments(String processorName) {
        return segments(ask(SEGMENTS, processorName));
    }

    @Override
    public List<Segment> fetchAvailableSegments(String processorName) {
        int[] all = fetchSegments(processorName);
        return Arrays.stream(segments(ask(FREE_SEGMENTS, processorName)))
                .mapToObj(segment -> Segment.computeSegment(segment, all))
                .toList();
    }

    private static int[] segments(JdbcClient.StatementSpec question) {
        return question.query((row, i) -> row.getInt("segment")).list().stream()
                .mapToInt(Integer::intValue)
                .toArray();
    }
}
