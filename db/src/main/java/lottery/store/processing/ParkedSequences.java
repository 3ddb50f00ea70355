package lottery.store.processing;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import lottery.store.processing.ParkedEventStore.ParkedEventPosition;
import org.axonframework.common.stream.BlockingStream;
import org.axonframework.eventhandling.GlobalSequenceTrackingToken;
import org.axonframework.eventhandling.Segment;
import org.axonframework.eventhandling.TrackedEventMessage;
import org.axonframework.eventhandling.TrackerStatus;
import org.axonframework.serialization.UnknownSerializedType;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The sequences of a segment that have parked events. Their later events are held back, and the parked ones are tried
 * again when they are due. The class is not thread-safe.
 */
final class ParkedSequences {

    private static final Logger log = LoggerFactory.getLogger(ParkedSequences.class);

    /**
     * How many events may be parked. More parked events would point to a general fault. Therefore no further event is
     * parked, and its batch fails until there is room.
     */
    private static final int PARKED_MAX = 10_000;

    private static final Duration LOOK_PAUSE = Duration.ofSeconds(1);
    private static final Duration RETRY_TIME_MAX = Duration.ofSeconds(2);
    private static final int DUE_MAX = 100;
    private static final int READ_WAIT_MS = 500;

    private final BatchEventProcessor processor;
    private final ProcessorDependencies parts;
    private final Segment segment;
    private final String name;
    private Set<String> sequences = new HashSet<>();
    private long lookedAtNanos = System.nanoTime();

    ParkedSequences(BatchEventProcessor processor, ProcessorDependencies parts, Segment segment) {
        this.processor = processor;
        this.parts = parts;
        this.segment = segment;
        this.name = processor.getName();
    }

    /** No further event may be parked. */
    static final class ParkedEventLimitException extends RuntimeException {

        private static final long serialVersionUID = 1;

        ParkedEventLimitException(String message) {
            super(message);
        }
    }

    void read() {
        sequences = parts.parked().sequences(name);
    }

    /**
     * Reads the sequences again if any of the events would be held back. A replay may have handled the parked events
     * behind which they would wait.
     */
    void readBefore(List<TrackedEventMessage<?>> events) {
        if (events.stream().anyMatch(this::holdsBack)) {
            read();
        }
    }

    boolean isEmpty() {
        return sequences.isEmpty();
    }

    boolean holdsBack(TrackedEventMessage<?> event) {
        return !sequences.isEmpty() && sequences.contains(sequenceOf(event));
    }

    /** Returns the place of an event that is to be parked. */
    ParkedEventPosition placeOf(TrackedEventMessage<?> event) {
        return new ParkedEventPosition(sequenceOf(event), SegmentBatch.position(event));
    }

    /** Returns the sequence of an event; if the event cannot be read, the sequence of its aggregate. */
    private String sequenceOf(TrackedEventMessage<?> event) {
        String sequence;
        try {
            sequence = parts.sequences().of(event);
        } catch (RuntimeException e) {
            sequence = SequencingRule.ofAggregate(event);
        }
        return sequence.replace('\0', ' ');
    }

    void requireRoom() {
        if (parts.parked().count(name) >= PARKED_MAX) {
            throw new ParkedEventLimitException(
                    "%d events of %s are parked, and no more may be".formatted(PARKED_MAX, name));
        }
    }

    void add(ParkedEventPosition parked) {
        sequences.add(parked.sequence());
    }

    /**
     * Adds an error to the status while events are parked, because users of the processor must know that it has skipped
     * events.
     */
    TrackerStatus healthOf(TrackerStatus status) {
        return sequences.isEmpty()
                ? status.unmarkError()
                : status.markError(
                        new IllegalStateException("events of %d sequences are parked".formatted(sequences.size())));
    }

    /** Tries the parked events that are due, unless it was done just now. */
    void retryDue(BooleanSupplier goesOn) throws InterruptedException {
        if (sequences.isEmpty() || System.nanoTime() - lookedAtNanos < LOOK_PAUSE.toNanos()) {
            return;
        }
        long begunNanos = System.nanoTime();
        boolean some = true;
        while (some) {
            some = false;
            for (ParkedEventPosition parked : parts.parked().due(name, DUE_MAX)) {
                if (!goesOn.getAsBoolean() || System.nanoTime() - begunNanos > RETRY_TIME_MAX.toNanos()) {
                    some = false;
                    break;
                }
                some |= retry(parked);
            }
        }
        read();
        lookedAtNanos = System.nanoTime();
        processor.status(segment, this::healthOf);
    }

    /** Tries a parked event. Returns whether it was handled; if so, the next event of its sequence may be tried. */
    private boolean retry(ParkedEventPosition parked) throws InterruptedException {
        try {
            List<TrackedEventMessage<?>> events = eventsAt(parked.position());
            if (events.stream().anyMatch(event -> event.getPayloadType() == UnknownSerializedType.class)) {
                // This process does not know the type of the event. A process of a newer version has parked the event,
                // and can handle it.
                parts.parked().later(name, parked);
                return false;
            }
            events.removeIf(event -> !processor.wants(event, segment));
            processor.handle(events, segment, () -> {
                parts.tokens().extendClaim(name, segment.getSegmentId());
                if (!parts.parked().handled(name, parked)) {
                    throw new IllegalStateException(
                            "another process has handled event %d".formatted(parked.position()));
                }
            });
            log.info("The processor {} has handled the parked event {}.", name, parked.position());
            return true;
        } catch (Exception e) {
            SegmentWorker.giveUpIfLost(e);
            if (parts.failureClassifier().isOutage(e)) {
                parts.parked().later(name, parked);
            } else {
                parts.parked().failedAgain(name, parked, e);
            }
            return false;
        }
    }

    /** Returns the events that are stored at a position; none if an upcaster drops them. */
    private List<TrackedEventMessage<?>> eventsAt(long position) throws InterruptedException {
        List<TrackedEventMessage<?>> events = new ArrayList<>();
        try (BlockingStream<TrackedEventMessage<?>> stream =
                parts.log().openStream(new GlobalSequenceTrackingToken(position - 1))) {
            if (!stream.hasNextAvailable(READ_WAIT_MS, TimeUnit.MILLISECONDS)) {
                throw new IllegalStateException("the log does not show event %d yet".formatted(position));
            }
            while (stream.hasNextAvailable()
                    && stream.peek()
                            .filter(next -> SegmentBatch.position(next) == position)
                            .isPresent()) {
                events.add(stream.nextAvailable());
            }
        }
        return events;
    }
}
