package lottery.view.wheel;

import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import lottery.api.account.AccountEvent;
import lottery.api.account.AccountEvent.AccountRecharged;
import lottery.api.account.AccountEvent.ChanceReturned;
import lottery.api.account.AccountEvent.ChanceSpent;
import lottery.api.account.AccountEvent.OpenOrderUsed;
import lottery.api.account.AccountId;
import lottery.view.wheel.RedisDraws.Step;
import org.axonframework.config.ProcessingGroup;
import org.axonframework.eventhandling.EventHandler;
import org.axonframework.eventhandling.SequenceNumber;
import org.axonframework.messaging.unitofwork.CurrentUnitOfWork;
import org.axonframework.messaging.unitofwork.UnitOfWork;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * Keeps the counts in Redis that are there. It has a processor of its own: while Redis is away it stands still, and
 * nothing else does.
 */
@Component
@ProcessingGroup(DrawsTodayProjection.GROUP)
class DrawsTodayProjection {

    static final String GROUP = "draws-today";

    private static final String GATHERED = DrawsTodayProjection.class.getName();

    private final RedisDraws redis;

    DrawsTodayProjection(RedisDraws redis) {
        this.redis = redis;
    }

    /**
     * Every event of an account counts as a version, though not every one is a draw: a chance that is spent for an
     * order which stays open is none yet. All of a batch are told at once.
     */
    @EventHandler
    void on(AccountEvent event, @SequenceNumber long sequence) {
        AccountId account = new AccountId(event.activityId(), event.userId());
        UnitOfWork<?> batch = CurrentUnitOfWork.get().root();
        List<Step> steps = batch.getOrComputeResource(GATHERED, _ -> {
            List<Step> fresh = new ArrayList<>();
            batch.onPrepareCommit(_ -> redis.follow(fresh));
            return fresh;
        });
        steps.add(new Step(account, sequence, dayOfDraw(event)));
    }

    private static @Nullable LocalDate dayOfDraw(AccountEvent event) {
        return switch (event) {
            case ChanceSpent spent when !spent.open() -> spent.day();
            case OpenOrderUsed used -> used.day();
            case AccountRecharged _, ChanceSpent _, ChanceReturned _ -> null;
        };
    }
}
