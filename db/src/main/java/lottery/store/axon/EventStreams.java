package lottery.store.axon;

import java.util.Objects;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.axonframework.eventhandling.DomainEventMessage;
import org.axonframework.eventsourcing.eventstore.DomainEventStream;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.axonframework.modelling.command.ConcurrencyException;
import org.jspecify.annotations.Nullable;

/**
 * Reads the events of one aggregate in their order, from the first one on, even if the aggregate has a snapshot. The
 * caller names the family of the events. An event of another family, which this version does not know, fails the read,
 * except in {@link #select}.
 */
public final class EventStreams {

    private EventStreams() {}

    /**
     * Returns the state of an aggregate after all its events; empty if it has no events.
     *
     * @param after returns the state after an event; the state before the first event is null
     */
    public static <S, E> Optional<S> fold(EventStore events, String id, BiFunction<@Nullable S, E, @Nullable S> after) {
        @Nullable S state = null;
        DomainEventStream history = events.readEvents(id, 0);
        while (history.hasNext()) {
            state = after.apply(state, payload(history.next()));
        }
        return Optional.ofNullable(state);
    }

    /**
     * Returns the state of an aggregate after its events, from a known state on.
     *
     * @param from the sequence number of the first event that the known state lacks
     * @param after returns the state after an event, whose message also has its time and its sequence number
     */
    public static <S extends @Nullable Object> S foldMessages(
            EventStore events, String id, long from, S known, BiFunction<S, DomainEventMessage<?>, S> after) {
        S state = known;
        DomainEventStream history = events.readEvents(id, from);
        while (history.hasNext()) {
            state = after.apply(state, history.next());
        }
        return state;
    }

    /** Returns the first event of an aggregate; empty if the aggregate does not exist. */
    public static <E> Optional<E> first(EventStore events, String id) {
        DomainEventStream history = events.readEvents(id, 0);
        return history.hasNext() ? Optional.of(payload(history.next())) : Optional.empty();
    }

    /** Returns the events of an aggregate that have this type, and skips the others. */
    public static <E> Stream<E> select(EventStore events, String id, Class<E> type) {
        return events.readEvents(id, 0)
                .asStream()
                .<Object>map(DomainEventMessage::getPayload)
                .filter(type::isInstance)
                .map(type::cast);
    }

    /**
     * Requires that nobody has changed an aggregate since it was loaded. It is for a refusal that another aggregate has
     * caused, because no commit finds out then that the state was old.
     *
     * @param version the sequence number of the last event that was loaded; null if there was none
     * @throws ConcurrencyException if the aggregate was changed; the command has to be handled again
     */
    public static void requireLatest(EventStore events, String id, @Nullable Long version) {
        if (!Objects.equals(events.lastSequenceNumberFor(id).orElse(null), version)) {
            throw new ConcurrencyException(id + " was changed elsewhere");
        }
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // The caller knows the family.
    private static <E> E payload(DomainEventMessage<?> event) {
        return (E) event.getPayload();
    }
}
