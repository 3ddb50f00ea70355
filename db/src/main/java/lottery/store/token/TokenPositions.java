package lottery.store.token;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import lottery.store.log.Log;
import org.jspecify.annotations.Nullable;

/** Reads the positions of all tokens from the database, once for all callers that ask at about the same time. */
public final class TokenPositions {

    private static final Duration AGE_MAX = Duration.ofMillis(15);

    private static final String POSITIONS = """
            SELECT member,
                   max(CASE jsonb_typeof(token) WHEN 'number' THEN token::bigint ELSE (token ->> 'at')::bigint END)
            FROM token CROSS JOIN unnest(members) AS member GROUP BY member""";

    private final Log log;
    private final ReentrantLock looking = new ReentrantLock();
    private volatile PositionSnapshot latest = new PositionSnapshot(Map.of(), System.nanoTime() - AGE_MAX.toNanos());

    public TokenPositions(Log log) {
        this.log = log;
    }

    private record PositionSnapshot(Map<String, Long> positions, long atNanos) {}

    /** Returns the current or a very recent position of a processor; null: it has no token. */
    public @Nullable Long of(String processor) {
        if (System.nanoTime() - latest.atNanos() >= AGE_MAX.toNanos() && looking.tryLock()) {
            try {
                latest = look();
            } finally {
                looking.unlock();
            }
        }
        return latest.positions().get(processor);
    }

    private PositionSnapshot look() {
        long atNanos = System.nanoTime();
        Map<String, Long> positions = new HashMap<>();
        log.sql()
                .sql(POSITIONS)
                .query((row, i) -> positions.put(row.getString(1), row.getLong(2)))
                .list();
        return new PositionSnapshot(Map.copyOf(positions), atNanos);
    }
}
