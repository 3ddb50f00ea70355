package lottery.proof;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import lottery.api.activity.ActivityEvent;
import lottery.api.activity.ActivityEvent.ActivityCreated;
import lottery.api.activity.ActivityEvent.ActivityEdited;
import lottery.api.activity.ActivityEvent.ActivityStarted;
import lottery.api.activity.ActivityEvent.SeedPublished;
import lottery.api.activity.ActivityId;
import lottery.api.raffle.RaffleEvent;
import lottery.api.raffle.RaffleEvent.RaffleDrawn;
import lottery.api.raffle.RaffleEvent.RaffleOrderCancelled;
import lottery.api.raffle.RaffleEvent.RaffleOrderCreated;
import lottery.api.raffle.RaffleEvent.RequestAnswered;
import lottery.api.raffle.RaffleOrderId;
import lottery.api.strategy.StrategyEvent;
import lottery.api.strategy.StrategyId;
import lottery.rule.DrawRules;
import lottery.strategy.StrategyCache;
import org.axonframework.common.stream.BlockingStream;
import org.axonframework.eventhandling.TrackedEventMessage;
import org.axonframework.eventhandling.TrackingToken;
import org.axonframework.eventsourcing.eventstore.DomainEventStream;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.springframework.stereotype.Component;

/** Reads what was written down of draws, and of what they were made by. */
@Component
class DrawEvidence {

    private static final long EVENTS_WAIT_MAX_SECONDS = 10;

    private final EventStore events;

    DrawEvidence(EventStore events) {
        this.events = events;
    }

    /** The rules and rounds that draws of an activity can have been made by. */
    record Grounds(List<DrawRules> versions, List<RoundCommitment> pledges) {

        DrawVerifier verifier() {
            return new DrawVerifier(versions, pledges);
        }
    }

    /** Is told of draws in the order of their commits. */
    @FunctionalInterface
    interface Reader<E extends Exception> {

        /**
         * Is called for each event, whatever it is about, so that it can stop.
         *
         * @param drawn none where the event is no draw of that activity
         * @return whether to go on
         */
        boolean read(long position, Optional<RaffleDrawn> drawn) throws E;
    }

    Optional<RaffleDrawn> draw(RaffleOrderId orderId) {
        DomainEventStream history = events.readEvents(orderId.text());
        Optional<RaffleDrawn> draw = Optional.empty();
        while (history.hasNext()) {
            draw = switch ((RaffleEvent) history.next().getPayload()) {
                case RaffleDrawn drawn -> Optional.of(drawn);
                case RaffleOrderCreated _, RaffleOrderCancelled _, RequestAnswered _ -> draw;
            };
        }
        return draw;
    }

    /** Empty where there is no such activity. */
    Optional<Grounds> grounds(ActivityId activityId) {
        return activity(activityId)
                .map(named -> new Grounds(
                        named.strategies().stream()
                                .flatMap(id -> versions(id).stream())
                                .toList(),
                        named.pledges()));
    }

    /** What the activity says of the draws in it. */
    private record Named(Set<StrategyId> strategies, List<RoundCommitment> pledges) {}

    private Optional<Named> activity(ActivityId activityId) {
        Set<StrategyId> named = new LinkedHashSet<>();
        Map<Integer, RoundCommitment> pledges = new LinkedHashMap<>();
        DomainEventStream history = events.readEvents(activityId.text());
        while (history.hasNext()) {
            note((ActivityEvent) history.next().getPayload(), named, pledges);
        }
        return named.isEmpty() ? Optional.empty() : Optional.of(new Named(named, List.copyOf(pledges.values())));
    }

    /** What one draw was made by. */
    Optional<Grounds> grounds(RaffleDrawn drawn, StrategyCache strategies) {
        return activity(drawn.activityId())
                .map(named -> new Grounds(
                        strategies.find(drawn.strategyId(), drawn.strategyVersion()).stream()
                                .filter(rules -> named.strategies().contains(rules.strategyId()))
                                .toList(),
                        named.pledges()));
    }

    private static void note(ActivityEvent event, Set<StrategyId> strategies, Map<Integer, RoundCommitment> pledges) {
        switch (event) {
            case ActivityCreated created -> strategies.add(created.definition().strategyId());
            case ActivityEdited edited -> strategies.add(edited.definition().strategyId());
            case ActivityStarted started ->
                pledges.put(started.round(), new RoundCommitment(started.round(), started.commitment(), null));
            case SeedPublished published ->
                pledges.computeIfPresent(published.round(), (round, pledge) -> pledge.with(published.seed()));
            case ActivityEvent _ -> {
                // Says nothing about what draws are made by.
            }
        }
    }

    private List<DrawRules> versions(StrategyId strategyId) {
        List<DrawRules> versions = new ArrayList<>();
        DomainEventStream history = events.readEvents(strategyId.text());
        while (history.hasNext()) {
            StrategyEvent event = (StrategyEvent) history.next().getPayload();
            versions.add(DrawRules.assemble(event.strategyId(), event.version(), event.definition()));
        }
        return versions;
    }

    /** The position of the newest event. */
    long head() {
        return positionOf(events.createHeadToken());
    }

    /** Reads the log from its beginning to this position. Only draws are made into objects. */
    <E extends Exception> void read(ActivityId activityId, long head, Reader<E> reader) throws E {
        try (BlockingStream<TrackedEventMessage<?>> log = events.openStream(events.createTailToken())) {
            long position = 0;
            while (position < head) {
                TrackedEventMessage<?> event = next(log);
                position = positionOf(event.trackingToken());
                if (position <= head && !reader.read(position, drawOf(activityId, event))) {
                    return;
                }
            }
        }
    }

    private static Optional<RaffleDrawn> drawOf(ActivityId activityId, TrackedEventMessage<?> event) {
        return event.getPayloadType() == RaffleDrawn.class
                        && event.getPayload() instanceof RaffleDrawn drawn
                        && drawn.activityId().equals(activityId)
                ? Optional.of(drawn)
                : Optional.empty();
    }

    /** Those up to the head are there, so that there is not much to wait for. */
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

    private static long positionOf(TrackingToken token) {
        return token.position().orElse(0);
    }
}
