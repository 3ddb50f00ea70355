package lottery.saga;

import static java.util.Objects.requireNonNullElse;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import lottery.api.Answer;
import lottery.api.Refusal;
import lottery.api.Refused;
import lottery.api.rebate.BehaviourCommand.DropRebate;
import lottery.api.rebate.BehaviourCommand.GiveRebate;
import lottery.api.rebate.BehaviourCommand.ReportBehaviour;
import lottery.api.rebate.BehaviourEvent;
import lottery.api.rebate.BehaviourEvent.BehaviourReported;
import lottery.api.rebate.BehaviourEvent.RebateDropped;
import lottery.api.rebate.BehaviourEvent.RebateGiven;
import lottery.api.rebate.BehaviourEvent.RebateRefused;
import lottery.api.rebate.BehaviourId;
import lottery.api.rebate.BehaviourProgress;
import lottery.api.rebate.OrderedRebate;
import lottery.api.rebate.RebateProgress;
import lottery.api.rebate.RebateState;
import org.axonframework.commandhandling.CommandHandler;
import org.axonframework.eventhandling.GenericDomainEventMessage;
import org.axonframework.eventsourcing.eventstore.DomainEventStream;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.axonframework.messaging.unitofwork.CurrentUnitOfWork;

/** Replaces the behaviours of the command side, with as much of their rules as the saga needs. */
class Behaviours {

    private final EventStore events;
    private final ConcurrentMap<String, List<OrderedRebate>> rules = new ConcurrentHashMap<>();
    private final ConcurrentMap<BehaviourId, Integer> failuresLeft = new ConcurrentHashMap<>();
    private final ConcurrentMap<BehaviourId, String> refusals = new ConcurrentHashMap<>();
    private final Lock turn = new ReentrantLock();
    private final List<GiveRebate> asked = new CopyOnWriteArrayList<>();

    Behaviours(EventStore events) {
        this.events = events;
    }

    /** Lets a behaviour earn these rebates from now on. */
    void rule(String behaviour, OrderedRebate... rebates) {
        rules.put(behaviour, List.of(rebates));
    }

    void fail(BehaviourId id, int times) {
        failuresLeft.put(id, times);
    }

    /** Refuses all rebates of a behaviour, until the reason is empty. */
    void refuse(BehaviourId id, String reason) {
        refusals.put(id, reason);
    }

    BehaviourProgress find(BehaviourId id) {
        DomainEventStream history = events.readEvents(id.text());
        BehaviourProgress progress =
                BehaviourProgress.of((BehaviourReported) history.next().getPayload());
        while (history.hasNext()) {
            progress = progress.after((BehaviourEvent) history.next().getPayload());
        }
        return progress;
    }

    boolean has(BehaviourId id) {
        return events.readEvents(id.text()).hasNext();
    }

    List<GiveRebate> askedFor(BehaviourId id) {
        return asked.stream().filter(give -> give.behaviourId().equals(id)).toList();
    }

    @CommandHandler
    Answer<BehaviourProgress> handle(ReportBehaviour report) {
        BehaviourReported reported = new BehaviourReported(
                report.behaviourId(),
                report.userId(),
                report.behaviour(),
                report.outBusinessNo(),
                Instant.EPOCH,
                rules.getOrDefault(report.behaviour(), List.of()));
        append(reported, 0);
        return Answer.done(BehaviourProgress.of(reported));
    }

    @CommandHandler
    Answer<BehaviourProgress> handle(GiveRebate give) {
        awaitTurn();
        asked.add(give);
        if (requireNonNullElse(failuresLeft.computeIfPresent(give.behaviourId(), (_, times) -> times - 1), -1) >= 0) {
            throw new IllegalStateException("the database is away");
        }
        BehaviourProgress before = find(give.behaviourId());
        if (before.find(give.ruleId(), give.index()).isEmpty()) {
            return Answer.no(new Refused(Refusal.NOT_FOUND, give.behaviourId().text()));
        }
        RebateProgress rebate = before.find(give.ruleId(), give.index()).orElseThrow();
        boolean isDue = rebate.state() == RebateState.ORDERED || (give.isAgain() && rebate.needsPerson());
        if (isDue) {
            String reason = refusals.getOrDefault(give.behaviourId(), "");
            if (reason.isEmpty()) {
                keep(new RebateGiven(
                        give.behaviourId(), before.userId(), give.ruleId(), give.index(), "credit:33:ann#1"));
            } else if (!reason.equals(rebate.reason())) {
                keep(new RebateRefused(give.behaviourId(), before.userId(), give.ruleId(), give.index(), reason));
            }
        }
        return Answer.done(find(give.behaviourId()));
    }

    @CommandHandler
    Answer<BehaviourProgress> handle(DropRebate drop) {
        awaitTurn();
        BehaviourProgress before = find(drop.behaviourId());
        if (before.find(drop.ruleId(), drop.index()).orElseThrow().needsPerson()) {
            keep(new RebateDropped(drop.behaviourId(), before.userId(), drop.ruleId(), drop.index()));
        }
        return Answer.done(find(drop.behaviourId()));
    }

    /** Lets one command after the other be committed, as the lock of an aggregate does. */
    private void awaitTurn() {
        turn.lock();
        CurrentUnitOfWork.get().onCleanup(_ -> turn.unlock());
    }

    private void keep(BehaviourEvent event) {
        long last = events.lastSequenceNumberFor(event.behaviourId().text()).orElseThrow();
        append(event, last + 1);
    }

    private void append(BehaviourEvent event, long sequence) {
        events.publish(
                new GenericDomainEventMessage<>("behaviour", event.behaviourId().text(), sequence, event, Map.of()));
    }
}
