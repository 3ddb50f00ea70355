package lottery.store.log;

import java.util.OptionalInt;

/** Says to which shard an aggregate belongs. All aggregates of one shard are in one log. */
@FunctionalInterface
public interface ShardRule {

    /** How many shards there are. The number never changes. */
    int SHARDS = 64;

    /** Keeps everything in the home log. */
    ShardRule NONE = _ -> OptionalInt.empty();

    /** Returns the shard of an aggregate, below {@link #SHARDS}; empty if the aggregate is in the home log. */
    OptionalInt shardOf(String aggregateId);
}
