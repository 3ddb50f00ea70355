package lottery.api.raffle;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.time.Instant;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import lottery.api.AggregateId;
import lottery.api.ShardedUuid;
import lottery.api.account.AccountId;

/** The id of one draw, from the chance that it cost to its outcome. */
public record RaffleOrderId(ShardedUuid key) implements AggregateId {

    private static final String PREFIX = "order:";

    /**
     * Derives an id from an account and facts, such as an idempotency key. The same account and facts always give the
     * same id.
     */
    static RaffleOrderId derived(AccountId account, String... facts) {
        return new RaffleOrderId(ShardedUuid.derived(
                account.userId(),
                Stream.concat(Stream.of(account.text()), Stream.of(facts)).toArray(String[]::new)));
    }

    /** Creates the id of a request without a key. */
    static RaffleOrderId fresh(AccountId account, Instant now, RandomGenerator random) {
        return new RaffleOrderId(ShardedUuid.fresh(account.userId(), now, random));
    }

    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public static RaffleOrderId of(String text) {
        return new RaffleOrderId(ShardedUuid.after(PREFIX, text));
    }

    @Override
    @JsonValue
    public String text() {
        return PREFIX + key;
    }

    @Override
    public String toString() {
        return text();
    }
}
