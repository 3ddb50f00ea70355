package lottery.view.wheel;

import java.util.Optional;
import java.util.random.RandomGenerator;
import lottery.api.account.AccountId;
import lottery.view.account.AccountDraws;
import lottery.view.account.DrawsOfDay;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.springframework.dao.DataAccessException;
import org.springframework.stereotype.Component;

/**
 * How often a user has drawn today: from Redis, which the wheel of every visitor asks, and from the account's row in
 * PostgreSQL whenever Redis cannot be asked or believed. The row is slower, but it is never wrong because of Redis.
 *
 * <p>What could make Redis answer wrongly, and why it does not:
 *
 * <ul>
 *   <li><b>It was away and missed draws.</b> {@link DrawsTodayProjection} does not step over a write that fails: its
 *       processor stays at that event and tries again until Redis takes it. Until then the old count may come back with
 *       Redis; {@link RedisPulse} keeps everybody from reading it, because only a processor that goes on keeps the
 *       pulse alive.
 *   <li><b>It has lost its memory.</b> A missing count is never begun at zero. The next question puts it back from the
 *       account's row.
 *   <li><b>The row that is put back is behind</b> the events that the projection has passed already, so that nobody
 *       would ever add what it lacks. Hence it is put back only if it has the last event of the account's stream.
 *   <li><b>A draw happens while the row is on its way to Redis.</b> Who puts a row back first leaves a token in the
 *       key's place. The projection removes the token with any event of the account, a loss of memory removes it too,
 *       and without the token nothing is put back.
 *   <li><b>An event comes twice or late.</b> Counts have the version of their account and only move forward, one event
 *       at a time; where one is missing, the count is dropped.
 * </ul>
 */
@Component
class DrawsToday {

    private final RedisDraws redis;
    private final RedisPulse pulse;
    private final AccountDraws rows;
    private final EventStore events;
    private final RandomGenerator random;

    DrawsToday(RedisDraws redis, RedisPulse pulse, AccountDraws rows, EventStore events, RandomGenerator random) {
        this.redis = redis;
        this.pulse = pulse;
        this.rows = rows;
        this.events = events;
        this.random = random;
    }

    DrawsOfDay find(AccountId account) {
        return known(account).orElseGet(() -> pulse.isFelt() ? remembered(account) : stored(account));
    }

    /** What Redis says, if it can be asked and believed. */
    Optional<DrawsOfDay> known(AccountId account) {
        if (!pulse.isFelt()) {
            return Optional.empty();
        }
        try {
            return redis.find(account);
        } catch (DataAccessException away) {
            pulse.lost();
            return Optional.empty();
        }
    }

    /** What the account's row says. */
    DrawsOfDay stored(AccountId account) {
        return rows.find(account);
    }

    private DrawsOfDay remembered(AccountId account) {
        String token = Long.toHexString(random.nextLong());
        boolean mine = reserved(account, token);
        DrawsOfDay row = rows.find(account);
        if (mine && row.version() == lastEvent(account)) {
            putBack(account, token, row);
        }
        return row;
    }

    private boolean reserved(AccountId account, String token) {
        try {
            return redis.reserve(account, token);
        } catch (DataAccessException away) {
            pulse.lost();
            return false;
        }
    }

    private void putBack(AccountId account, String token, DrawsOfDay row) {
        try {
            redis.putBack(account, token, row);
        } catch (DataAccessException away) {
            pulse.lost();
        }
    }

    private long lastEvent(AccountId account) {
        Optional<Long> last = events.lastSequenceNumberFor(account.text());
        return last.orElse(DrawsOfDay.NONE.version());
    }
}
