package lottery.store.pace;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import lottery.store.processing.ProcessorPositionAwaiter;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Reads the position of the log and of the processors that follow it, in this process and in other ones. */
final class ProcessorProgressReader {

    /**
     * Selects the positions of processors, each with one of its members, which all have that position. A processor in a
     * replay is left out, because it is behind on purpose and its token is not a plain number.
     */
    private static final String POSITIONS = """
            SELECT processor, min(members[1]) AS member, min(token::bigint) AS position,
                   (SELECT position FROM event_head) AS head
            FROM token WHERE jsonb_typeof(token) = 'number' GROUP BY processor""";

    private static final int ANSWER_MAX_SECONDS = 3;

    private final JdbcClient database;
    private final ProcessorPositionAwaiter positionAwaiter;

    ProcessorProgressReader(JdbcClient database, ProcessorPositionAwaiter positionAwaiter) {
        this.database = database;
        this.positionAwaiter = positionAwaiter;
    }

    /** @param begun how many units of work have begun in this process */
    ProgressReading read(long begun) {
        Map<String, Long> positions = new HashMap<>();
        List<Long> heads = database.sql(POSITIONS)
                .withQueryTimeout(ANSWER_MAX_SECONDS)
                .query((row, i) -> {
                    String member = row.getString("member");
                    long stored = row.getLong("position");
                    positions.put(
                            row.getString("processor"),
                            member == null
                                    ? stored
                                    : positionAwaiter.here(member).orElse(stored));
                    return row.getLong("head");
                })
                .list();
        long head = heads.isEmpty() ? 0 : heads.getFirst();
        return new ProgressReading(System.nanoTime(), head, begun, positions);
    }
}
