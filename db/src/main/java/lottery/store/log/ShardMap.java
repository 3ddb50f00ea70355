package lottery.store.log;

import static lottery.store.log.ShardRule.SHARDS;

import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Says in which log each shard is.
 *
 * @param version grows with each change
 * @param logs the number of the log for each shard
 */
public record ShardMap(int version, List<Integer> logs) {

    public ShardMap {
        logs = List.copyOf(logs);
        if (logs.size() != SHARDS) {
            throw new IllegalArgumentException("%d shards have a log, and not %d".formatted(logs.size(), SHARDS));
        }
    }

    /** Spreads the shards evenly over logs. */
    static ShardMap even(int logs) {
        return new ShardMap(
                1, IntStream.range(0, SHARDS).mapToObj(shard -> shard % logs).toList());
    }

    /**
     * Returns the map that the home log has. The first process with several logs stores it: evenly spread if the home
     * log has no event yet, and otherwise with all shards where they are, in the home log.
     *
     * @param logs how many logs this process has
     * @throws IllegalStateException if this process lacks a log
     */
    static ShardMap stored(JdbcClient home, int logs) {
        if (logs > 1) {
            home.sql("""
                            INSERT INTO shard_map (version, logs)
                            SELECT 1, CASE WHEN position = 0 THEN ?::integer[] ELSE ?::integer[] END FROM event_head
                            ON CONFLICT DO NOTHING""").params(even(logs).array(), even(1).array()).update();
        }
        ShardMap map = stored(home).orElseGet(() -> even(1));
        int highest = Collections.max(map.logs());
        if (highest >= logs) {
            throw new IllegalStateException(
                    "log %s has shards, and lottery.logs is %d. It must be %d or more, in each process."
                            .formatted(Log.nameOf(highest), logs, highest + 1));
        }
        return map;
    }

    /**
     * Returns the map that the home log has. A program that migrates nothing may meet a database of an earlier release.
     */
    static Optional<ShardMap> stored(JdbcClient home) {
        boolean isThere = Boolean.TRUE.equals(home.sql("SELECT to_regclass('shard_map') IS NOT NULL")
                .query(Boolean.class)
                .single());
        return isThere
                ? home.sql("SELECT version, logs FROM shard_map")
                        .query((row, _) -> new ShardMap(row.getInt(1), List.of((Integer[])
                                row.getArray(2).getArray())))
                        .optional()
                : Optional.empty();
    }

    private Integer[] array() {
        return logs.toArray(Integer[]::new);
    }

    int logOf(int shard) {
        return logs.get(shard);
    }
}
