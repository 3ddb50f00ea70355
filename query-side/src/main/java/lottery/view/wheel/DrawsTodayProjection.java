package lottery.view.wheel;

import lottery.api.account.AccountEvent;
import lottery.api.account.AccountEvent.AccountRecharged;
import lottery.api.account.AccountEvent.ChanceReturned;
import lottery.api.account.AccountEvent.ChanceSpent;
import lottery.api.account.AccountEvent.OpenOrderUsed;
import lottery.api.account.AccountId;
import org.axonframework.config.ProcessingGroup;
import org.axonframework.eventhandling.EventHandler;
import org.axonframework.eventhandling.SequenceNumber;
import org.springframework.stereotype.Component;

/**
 * Keeps the counts in Redis that are there. It has a processor of its own: while Redis is away it stands still, and
 * nothing else does.
 */
@Component
@ProcessingGroup(DrawsTodayProjection.GROUP)
class DrawsTodayProjection {

    static final String GROUP = "draws-today";

    private final RedisDraws redis;

    DrawsTodayProjection(RedisDraws redis) {
        this.redis = redis;
    }

    /**
     * Every event of an account counts as a version, though not every one is a draw: a chance that is spent for an
     * order which stays open is none yet.
     */
    @EventHandler
    void on(AccountEvent event, @SequenceNumber long sequence) {
        AccountId account = new AccountId(event.activityId(), event.userId());
        switch (event) {
            case ChanceSpent spent when !spent.open() -> redis.count(account, sequence, spent.day());
            case OpenOrderUsed used -> redis.count(account, sequence, used.day());
            case AccountRecharged _, ChanceSpent _, ChanceReturned _ -> redis.pass(account, sequence);
        }
    }
}
