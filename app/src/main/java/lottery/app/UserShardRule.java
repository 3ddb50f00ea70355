package lottery.app;

import java.util.OptionalInt;
import lottery.api.UserId;
import lottery.api.UserShard;
import lottery.store.log.ShardRule;

/** Keeps all things of a user in one log, if there are several. */
final class UserShardRule implements ShardRule {

    @Override
    public OptionalInt ofAggregate(String aggregateId) {
        return UserShard.ofAggregate(aggregateId);
    }

    @Override
    public OptionalInt ofPerson(String person) {
        return OptionalInt.of(UserShard.of(new UserId(person)).number());
    }
}
