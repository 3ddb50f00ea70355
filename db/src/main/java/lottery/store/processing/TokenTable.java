package lottery.store.processing;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
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
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Stores how far each processor is, one statement per step. A token belongs to the process that has claimed it. Only
 * its owner moves it, so that a process that was away for a while cannot move it back.
 *
 * <p>A transaction that moves a token does not wait for the disk. If PostgreSQL crashes right after it, the token is
 * back where it was, and so is everything that was written with it. It is as if the process had been killed before the
 * commit. An owner that expects a later token loses it, and has to read it again.
 */
final class TokenTable implements TokenStore {

    private static final String FREE_FOR_ME = "(owner IS NULL OR owner = :me"
            + " OR claimed_at < clock_timestamp() - :claim_max * interval '1 millisecond')";

    private static final String THIS_ONE = " WHERE processor = :processor AND segment = :segment";

    private static final String CLAIM = "UPDATE token SET owner = :me, claimed_at = clock_timestamp()" + THIS_ONE
            + " AND " + FREE_FOR_ME + " RETURNING token::text";

    /**
     * Returns where the token was. It moves only in a log that has the newest event that this process knows, so that
     * nothing is stored that follows from events that are gone.
     */
    private static final String MOVE =
            "UPDATE token SET token = :token::jsonb, claimed_at = clock_timestamp()" + THIS_ONE + " AND owner = :me"
                    + " AND log_has(:known_position, :known_event)"
                    + " RETURNING old.token::text, set_config('synchronous_commit', 'off', true)";

    /** Returns where the token is. */
    private static final String EXTEND =
            "UPDATE token SET claimed_at = clock_timestamp()" + THIS_ONE + " AND owner = :me RETURNING token::text";

    private static final String RELEASE = "UPDATE token SET owner = NULL" + THIS_ONE + " AND owner = :me";

    private static final String BEGIN = "INSERT INTO token (processor, segment, token)"
            + " VALUES (:processor, :segment, :token::jsonb) ON CONFLICT DO NOTHING";

    private static final String DELETE = "DELETE FROM token" + THIS_ONE + " AND owner = :me";

    private static final String SEGMENTS = "SELECT segment FROM token WHERE processor = :processor ORDER BY segment";

    private static final String FREE_SEGMENTS =
            "SELECT segment FROM token WHERE processor = :processor AND " + FREE_FOR_ME + " ORDER BY segment";

    private final JdbcClient database;
    private final LogDivergenceGuard history;
    private final Duration claimMax;
    private final String me;

    /** The positions of the tokens that this process has claimed, if every commit that has moved them lasts. */
    private final Map<Place, Long> moved = new ConcurrentHashMap<>();

    private record Place(String processor, int segment) {}

    /** @param claimMax after this time without an extension, another process may take a token over */
    TokenTable(JdbcClient database, LogDivergenceGuard history, Duration claimMax) {
        this.database = database;
        this.history = history;
        this.claimMax = claimMax;
        this.me = ManagementFactory.getRuntimeMXBean().getName() + " " + UUID.randomUUID();
    }

    private JdbcClient.StatementSpec ask(String sql, String processor) {
        return database.sql(sql).param("processor", processor).param("me", me).param("claim_max", claimMax.toMillis());
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
        Place place = new Place(processorName, segment);
        long expected = moved.getOrDefault(place, 0L);
        LogEntry known = history.newest();
        onlyIfWhole(
                ask(MOVE, processorName)
                        .param("known_position", known.position())
                        .param("known_event", known.id())
                        .param("segment", segment)
                        .param("token", TokenText.of(token))
                        .query((row, i) -> position(TokenText.token(row.getString(1))))
                        .list(),
                place,
                expected);
        afterCommit(() -> moved.put(place, position(token)));
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
        Place place = new Place(processorName, segment);
        List<@Nullable String> claimed = ask(CLAIM, processorName)
                .param("segment", segment)
                .query(String.class)
                .list();
        onlyIfMine(claimed.size(), place);
        TrackingToken token = TokenText.token(claimed.getFirst());
        moved.put(place, position(token));
        return token;
    }

    @Override
    public void extendClaim(String processorName, int segment) {
        Place place = new Place(processorName, segment);
        // Read before the statement, which may see less than another transaction has moved meanwhile.
        long expected = moved.getOrDefault(place, 0L);
        onlyIfWhole(
                ask(EXTEND, processorName)
                        .param("segment", segment)
                        .query((row, i) -> position(TokenText.token(row.getString(1))))
                        .list(),
                place,
                expected);
    }

    private static void onlyIfWhole(List<Long> positions, Place place, long expected) {
        onlyIfMine(positions.size(), place);
        if (positions.getFirst() < expected) {
            throw new UnableToClaimTokenException(
                    "segment %d of %s is back at %d, and was at %d: PostgreSQL has crashed"
                            .formatted(place.segment(), place.processor(), positions.getFirst(), expected));
        }
    }

    private static long position(@Nullable TrackingToken token) {
        return token == null ? 0 : token.position().orElse(0);
    }

    private static void onlyIfMine(int rows, Place place) {
        if (rows == 0) {
            throw new UnableToClaimTokenException(
                    "segment %d of %s is another process's or not there, or the log has gone back"
                            .formatted(place.segment(), place.processor()));
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
        Place place = new Place(processorName, segment);
        onlyIfMine(ask(DELETE, processorName).param("segment", segment).update(), place);
        moved.remove(place);
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
