package lottery.store.log;

import java.util.OptionalInt;

/**
 * Says which shard something belongs to. Everything of one shard is in one log; what has no shard is in the home log.
 */
public interface ShardRule {

    /** How many shards there are. The number never changes. */
    int SHARDS = 64;

    /** Keeps everything in the home log. */
    ShardRule NONE = new ShardRule() {
        @Override
        public OptionalInt ofAggregate(String aggregateId) {
            return OptionalInt.empty();
        }

        @Override
        public OptionalInt ofPerson(String person) {
            return OptionalInt.empty();
        }
    };

    /** Returns the shard of an aggregate, below {@link #SHARDS}; empty if the aggregate has none. */
    OptionalInt ofAggregate(String aggregateId);

    /** Returns the shard of a person, in which all aggregates of this person are; empty if persons have none. */
    OptionalInt ofPerson(String person);
}
