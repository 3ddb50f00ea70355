package lottery.store.log;

import static lottery.store.log.ShardRule.SHARDS;

import java.util.List;
import java.util.stream.IntStream;

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

    int logOf(int shard) {
        return logs.get(shard);
    }
}
