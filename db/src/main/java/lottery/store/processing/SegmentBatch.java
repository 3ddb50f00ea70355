package lottery.store.processing;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import lottery.store.axon.UnknownEventException;
import org.axonframework.common.stream.BlockingStream;
import org.axonframework.eventhandling.TrackedEventMessage;
import org.axonframework.eventhandling.TrackingToken;
import org.axonframework.eventhandling.WrappedToken;
import org.jspecify.annotations.Nullable;

/**
 * The events that a member may want, out of those that were read.
 *
 * @param isAll whether the log had no more events
 */
record SegmentBatch(
        List<TrackedEventMessage<?>> events, @Nullable TrackingToken upTo, boolean isAll) {

    /** The most events that are read for a batch. It limits the search of a processor that wants few of the events. */
    static final int EVENTS_READ_MAX = 2_000;

    /** After a batch with this many events, a short pause is worthwhile, so that the next batch grows. */
    private static final int BUSY_FROM = 100;

    /**
     * Reads the next events of a stream, without waiting for more. It reads no event that this process does not know.
     *
     * @throws UnknownEventException if the next event is unknown
     */
    static SegmentBatch read(
            BlockingStream<TrackedEventMessage<?>> stream,
            @Nullable TrackingToken after,
            int eventsMax,
            Predicate<TrackedEventMessage<?>> wanted)
            throws InterruptedException {
        List<TrackedEventMessage<?>> events = new ArrayList<>();
        TrackingToken upTo = after;
        int read = 0;
        boolean more = stream.hasNextAvailable(0, TimeUnit.NANOSECONDS);
        while (more && !isNextUnknown(stream, read)) {
            TrackedEventMessage<?> event = stream.nextAvailable();
            read++;
            upTo = WrappedToken.advance(upTo, event.trackingToken());
            if (wanted.test(event)) {
                events.add(event.withTrackingToken(upTo));
            }
            boolean full = events.size() >= eventsMax || read >= EVENTS_READ_MAX;
            more = stream.hasNextAvailable(0, TimeUnit.NANOSECONDS) && (!full || belongsTo(event, stream.peek()));
        }
        return new SegmentBatch(events, upTo, events.size() < eventsMax && read < EVENTS_READ_MAX);
    }

    private static boolean isNextUnknown(BlockingStream<TrackedEventMessage<?>> stream, int read) {
        Optional<TrackedEventMessage<?>> unknown = stream.peek().filter(UnknownEventException::isUnknown);
        if (read == 0) {
            unknown.ifPresent(UnknownEventException::requireKnown);
        }
        return unknown.isPresent();
    }

    /** Returns whether an upcaster has made both events from one stored event. Such events stay in one batch. */
    private static boolean belongsTo(TrackedEventMessage<?> event, Optional<? extends TrackedEventMessage<?>> next) {
        return next.filter(other -> other.trackingToken().equals(event.trackingToken()))
                .isPresent();
    }

    /**
     * Returns how many of the events are the first half. Events of one position stay together, so the result is all of
     * them if they have one position.
     */
    static int half(List<TrackedEventMessage<?>> events) {
        int half = Math.max(1, events.size() / 2);
        while (half < events.size() && position(events.get(half)) == position(events.get(half - 1))) {
            half++;
        }
        return half;
    }

    static long position(TrackedEventMessage<?> event) {
        return event.trackingToken().position().orElseThrow();
    }

    /**
     * Returns whether to wait so that the next batch grows, because a transaction costs the same for few events and for
     * many. A processor that is behind does not wait, because the log already has enough events for its next batch.
     */
    boolean isWorthGathering() {
        return isAll && events.size() >= BUSY_FROM;
    }

    /** Returns the number of stored events. An upcaster may have made several events from one of them. */
    int size() {
        return Math.toIntExact(
                events.stream().map(SegmentBatch::position).distinct().count());
    }

    long first() {
        return position(events.getFirst());
    }
}
