package lottery.saga;

import static java.util.Objects.requireNonNull;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CopyOnWriteArrayList;
import lottery.api.Answer;
import lottery.api.Refusal;
import lottery.api.Refused;
import lottery.api.account.AccountId;
import lottery.api.account.RechargeCommand.CloseRecharge;
import lottery.api.account.RechargeEvent;
import lottery.api.account.RechargeEvent.RechargeClosed;
import lottery.api.account.RechargeEvent.RechargeCompleted;
import lottery.api.account.RechargeEvent.RechargeOrdered;
import lottery.api.account.RechargeId;
import lottery.api.account.RechargeResult;
import org.axonframework.commandhandling.CommandHandler;
import org.axonframework.eventhandling.GenericDomainEventMessage;
import org.axonframework.eventsourcing.eventstore.EventStore;

/** Replaces the recharges of the command side, with as much of their rules as the saga needs. */
class Recharges {

    /** A command, and the time at which it came. */
    record ReceivedClose(CloseRecharge close, Instant at) {}

    private record KeptRecharge(RechargeOrdered ordered, RechargeResult.RechargeState state) {}

    private final EventStore events;
    private final TestClock clock;
    private final ConcurrentMap<RechargeId, KeptRecharge> recharges = new ConcurrentHashMap<>();
    private final ConcurrentMap<RechargeId, Integer> failuresLeft = new ConcurrentHashMap<>();
    private final List<ReceivedClose> asked = new CopyOnWriteArrayList<>();

    Recharges(EventStore events, TestClock clock) {
        this.events = events;
        this.clock = clock;
    }

    synchronized void order(RechargeOrdered ordered) {
        recharges.put(ordered.rechargeId(), new KeptRecharge(ordered, RechargeResult.RechargeState.WAITING));
        append(ordered, 0);
    }

    /** Records that the recharge was paid in time. */
    synchronized void complete(RechargeId id) {
        RechargeOrdered ordered = requireNonNull(recharges.get(id)).ordered();
        recharges.put(id, new KeptRecharge(ordered, RechargeResult.RechargeState.COMPLETED));
        append(completed(ordered), 1);
    }

    /** Records a recharge that was paid at once: it never had an order. */
    synchronized void completeAtOnce(RechargeOrdered instead) {
        append(completed(instead), 0);
    }

    void fail(RechargeId id, int times) {
        failuresLeft.put(id, times);
    }

    RechargeResult.RechargeState stateOf(RechargeId id) {
        return requireNonNull(recharges.get(id)).state();
    }

    List<ReceivedClose> askedFor(RechargeId id) {
        return asked.stream()
                .filter(each -> each.close().rechargeId().equals(id))
                .toList();
    }

    @CommandHandler
    synchronized Answer<RechargeResult> handle(CloseRecharge close) {
        RechargeId id = close.rechargeId();
        asked.add(new ReceivedClose(close, clock.instant()));
        int failures = failuresLeft.getOrDefault(id, 0);
        if (failures > 0) {
            failuresLeft.put(id, failures - 1);
            throw new IllegalStateException("the database is away");
        }
        KeptRecharge kept = recharges.get(id);
        if (kept == null) {
            return Answer.no(new Refused(Refusal.NOT_FOUND, id.text()));
        }
        if (kept.state() == RechargeResult.RechargeState.WAITING) {
            kept = new KeptRecharge(kept.ordered(), RechargeResult.RechargeState.CLOSED);
            recharges.put(id, kept);
            append(new RechargeClosed(id, kept.ordered().userId()), 1);
        }
        return Answer.done(answer(kept));
    }

    private static RechargeResult answer(KeptRecharge kept) {
        RechargeOrdered ordered = kept.ordered();
        return new RechargeResult(
                ordered.rechargeId(),
                new AccountId(ordered.activityId(), ordered.userId()),
                ordered.sku(),
                kept.state(),
                ordered.bundle(),
                ordered.payBy(),
                null);
    }

    private static RechargeCompleted completed(RechargeOrdered ordered) {
        return new RechargeCompleted(
                ordered.rechargeId(),
                ordered.activityId(),
                ordered.userId(),
                ordered.sku(),
                ordered.outBusinessNo(),
                ordered.bundle(),
                ordered.unitTaken(),
                null);
    }

    private void append(RechargeEvent event, long sequence) {
        events.publish(
                new GenericDomainEventMessage<>("recharge", event.rechargeId().text(), sequence, event, Map.of()));
    }
}
