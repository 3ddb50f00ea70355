package lottery.proof;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import lottery.api.activity.ActivityEvent;
import lottery.api.activity.ActivityEvent.ActivityCreated;
import lottery.api.activity.ActivityEvent.ActivityEdited;
import lottery.api.activity.ActivityId;
import lottery.api.activity.ApprovedStrategy;
import lottery.api.activity.RoundCommitment;
import lottery.api.raffle.RaffleEvent.RaffleDrawn;
import lottery.api.raffle.RaffleOrderId;
import lottery.api.strategy.StrategyEvent;
import lottery.api.strategy.StrategyId;
import lottery.rule.CompiledStrategy;
import lottery.store.axon.EventStreams;
import lottery.store.axon.HistoryReader;
import lottery.store.log.Log;
import lottery.store.log.Logs;
import lottery.strategy.StrategyCache;
import lottery.strategy.StrategyHash;
import org.axonframework.common.stream.BlockingStream;
import org.axonframework.eventhandling.TrackedEventMessage;
import org.axonframework.eventsourcing.eventstore.DomainEventStream;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Reads the stored draws, and the rules and rounds that they follow from. */
@Component
class DrawEvidenceReader {

    private static final long EVENTS_WAIT_MAX_SECONDS = 10;

    private final EventStore events;
    private final HistoryReader history;
    private final Logs logs;

    DrawEvidenceReader(EventStore events, HistoryReader history, Logs logs) {
        this.events = events;
        this.history = history;
        this.logs = logs;
    }

    /** The rules and rounds that the draws of an activity may follow from. */
    record DrawRules(ActivityId activityId, List<CompiledStrategy> versions, List<RoundCommitment> roundCommitments) {

        DrawVerifier verifier() {
            return new DrawVerifier(activityId, versions, roundCommitments);
        }
    }

    /** The positions of the newest events of all logs. */
    record LogHeads(List<Long> ofLogs) {

        /** Returns how many events the logs have up to here. */
        long events() {
            return ofLogs.stream().mapToLong(Long::longValue).sum();
        }
    }

    /** Receives draws, those of each user in the order of their commits. */
    @FunctionalInterface
    interface DrawReceiver<E extends Exception> {

        /**
         * Is called for each event of all logs, of any kind, so that the reader can stop at any event.
         *
         * @param number how many events were read, with this one
         * @param drawn the draw; empty if the event is no draw of that activity
         * @return whether to continue
         */
        boolean read(long number, Optional<RaffleDrawn> drawn) throws E;
    }

    Optional<RaffleDrawn> draw(RaffleOrderId orderId) {
        return EventStreams.select(events, orderId.text(), RaffleDrawn.class).findFirst();
    }

    /** Returns the rules and rounds of an activity; empty if the activity does not exist. */
    Optional<DrawRules> grounds(ActivityId activityId) {
        return activity(activityId)
                .map(named -> new DrawRules(
                        activityId,
                        named.strategies().stream()
                                .flatMap(id -> versions(id).stream())
                                .filter(named::allows)
                                .toList(),
                        named.roundCommitments()));
    }

    /**
     * The strategies and rounds that the activity names.
     *
     * @param approved the hashes of the versions that were approved
     */
    private record NamedRules(
            Set<StrategyId> strategies,
            List<RoundCommitment> roundCommitments,
            Map<StrategyVersionKey, String> approved) {

        /**
         * Returns whether a draw may follow these rules. Their version must have been approved, with the hash of their
         * definition.
         */
        boolean allows(CompiledStrategy rules) {
            String hash = approved.get(new StrategyVersionKey(rules.strategyId(), rules.version()));
            return hash != null && hash.equals(StrategyHash.of(rules.definition()));
        }
    }

    private record StrategyVersionKey(StrategyId strategyId, int number) {}

    private Optional<NamedRules> activity(ActivityId activityId) {
        Set<StrategyId> named = new LinkedHashSet<>();
        List<RoundCommitment> roundCommitments = List.of();
        Map<StrategyVersionKey, String> approved = new HashMap<>();
        @Nullable ApprovedStrategy current = null;
        @Nullable StrategyId strategyId = null;
        DomainEventStream history = events.readEvents(activityId.text());
        while (history.hasNext()) {
            ActivityEvent event = (ActivityEvent) history.next().getPayload();
            strategyId = strategyAfter(strategyId, event);
            if (strategyId != null) {
                named.add(strategyId);
            }
            roundCommitments = RoundCommitment.after(roundCommitments, current, event);
            current = ApprovedStrategy.after(current, event);
            if (current != null && strategyId != null) {
                approved.put(new StrategyVersionKey(strategyId, current.version()), current.hash());
            }
        }
        return named.isEmpty() ? Optional.empty() : Optional.of(new NamedRules(named, roundCommitments, approved));
    }

    private static @Nullable StrategyId strategyAfter(@Nullable StrategyId before, ActivityEvent event) {
        return switch (event) {
            case ActivityCreated created -> created.definition().strategyId();
            case ActivityEdited edited -> edited.definition().strategyId();
            case ActivityEvent _ -> before;
        };
    }

    /** Returns the rules and rounds that one draw follows from. */
    Optional<DrawRules> grounds(RaffleDrawn drawn, StrategyCache strategies) {
        return activity(drawn.activityId())
                .map(named -> new DrawRules(
                        drawn.activityId(),
                        strategies.find(drawn.strategyId(), drawn.strategyVersion()).stream()
                                .filter(named::allows)
                                .toList(),
                        named.roundCommitments()));
    }

    private List<CompiledStrategy> versions(StrategyId strategyId) {
        List<CompiledStrategy> versions = new ArrayList<>();
        DomainEventStream history = events.readEvents(strategyId.text());
        while (history.hasNext()) {
            StrategyEvent event = (StrategyEvent) history.next().getPayload();
            versions.add(CompiledStrategy.assemble(event.strategyId(), event.version(), event.definition()));
        }
        return versions;
    }

    LogHeads heads() {
        return new LogHeads(logs.all().stream().map(history::head).toList());
    }

    /** Reads one log after the other, from its beginning to its head. Only draws are deserialized. */
    <E extends Exception> void read(ActivityId activityId, LogHeads heads, DrawReceiver<E> reader) throws E {
        long before = 0;
        boolean goesOn = true;
        for (Iterator<Log> left = logs.all().iterator(); goesOn && left.hasNext(); ) {
            Log log = left.next();
            long head = heads.ofLogs().get(log.number());
            long offset = before;
            goesOn = log.<Boolean, E>call(
                    () -> readLog(activityId, head, (position, drawn) -> reader.read(offset + position, drawn)));
            before += head;
        }
    }

    /** Returns whether the reader wants to go on. */
    private <E extends Exception> boolean readLog(ActivityId activityId, long head, DrawReceiver<E> reader) throws E {
        try (BlockingStream<TrackedEventMessage<?>> log = events.openStream(events.createTailToken())) {
            long position = 0;
            while (position < head) {
                TrackedEventMessage<?> event = next(log);
                position = event.trackingToken().position().orElse(0);
                if (position <= head && !reader.read(position, drawOf(activityId, event))) {
                    return false;
                }
            }
        }
        return true;
    }

    private static Optional<RaffleDrawn> drawOf(ActivityId activityId, TrackedEventMessage<?> event) {
        return event.getPayloadType() == RaffleDrawn.class
                        && event.getPayload() instanceof RaffleDrawn drawn
                        && drawn.activityId().equals(activityId)
                ? Optional.of(drawn)
                : Optional.empty();
    }

    /** Reads the next event. Events up to the head are stored already, so that the wait is short. */
    private static TrackedEventMessage<?> next(BlockingStream<TrackedEventMessage<?>> log) {
        try {
            if (log.hasNextAvailable((int) EVENTS_WAIT_MAX_SECONDS, TimeUnit.SECONDS)) {
                return log.nextAvailable();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        throw new IllegalStateException("the log ended before its head");
    }
}
