package lottery.store.processing;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import lottery.store.axon.UnknownEventException;
import lottery.store.processing.ParkedEventStore.ParkedEventPosition;
import lottery.store.processing.ProcessorMember.MemberFailedException;
import lottery.store.trace.TraceId;
import org.axonframework.common.stream.BlockingStream;
import org.axonframework.eventhandling.GlobalSequenceTrackingToken;
import org.axonframework.eventhandling.Segment;
import org.axonframework.eventhandling.TrackedEventMessage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The sequences that have parked events of one member of a processor. Their later events are held back, and the parked
 * ones are tried again when they are due. The class is not thread-safe.
 */
final class ParkedSequences {

    private static final Logger log = LoggerFactory.getLogger(ParkedSequences.class);

    /**
     * How many sequences may have parked events. More would point to a general fault. Therefore no further one gets
     * any, and its batch fails until there is room. The events behind a parked one do not count: a busy user alone must
     * not stop a processor.
     */
    private static final int PARKED_MAX = 10_000;

    private static final Duration LOOK_PAUSE = Duration.ofSeconds(1);

    /** How long parked events are tried at once. Meanwhile the processor handles nothing else, for no member. */
    private static final Duration RETRY_TIME_MAX = Duration.ofMillis(500);

    private static final int DUE_MAX = 100;
    private static final int READ_WAIT_MS = 500;

    private final BatchEventProcessor processor;
    private final ProcessorDependencies parts;
    private final ProcessorMember member;
    private final Segment segment;
    private final String name;
    private Set<String> sequences = new HashSet<>();
    private long lookedAtNanos = System.nanoTime();

    ParkedSequences(
            BatchEventProcessor processor, ProcessorMember member, ProcessorDependencies parts, Segment segment) {
        this.processor = processor;
        this.member = member;
        this.parts = parts;
        this.segment = segment;
        this.name = member.name();
    }

    ProcessorMember member() {
        return member;
    }

    /** No further event of a member may be parked. */
    static final class ParkedEventLimitException extends RuntimeException {

        private static final long serialVersionUID = 1;

        private final transient ProcessorMember member;

        ParkedEventLimitException(ProcessorMember member) {
            super("events of %d sequences of %s are parked, and no more may be".formatted(PARKED_MAX, member.name()));
            this.member = member;
        }

        ProcessorMember member() {
            return member;
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

    /** Returns how many sequences have parked events. */
    int size() {
        return sequences.size();
    }

    /** Returns whether the member wants an event that waits behind a parked one. */
    boolean holdsBack(TrackedEventMessage<?> event) {
        return !sequences.isEmpty() && member.wants(event, segment) && sequences.contains(sequenceOf(event));
    }

    /** Parks those of the events that wait behind a parked one, in the current transaction. */
    void parkBehind(List<TrackedEventMessage<?>> events) {
        events.stream()
                .filter(this::holdsBack)
                .map(this::placeOf)
                .forEach(parked -> parts.parked().parkBehind(name, parked));
    }

    /**
     * Handles events by itself, in the current transaction. If they fail together, each half is tried. An event that
     * fails alone is parked, and the later events of its sequence wait behind it.
     *
     * @param afterwards takes what is to be done after the commit
     * @return whether an event was parked because it has failed
     */
    boolean handleApart(List<TrackedEventMessage<?>> events, Consumer<Runnable> afterwards) throws Exception {
        parkBehind(events);
        List<TrackedEventMessage<?>> free = events.stream()
                .<TrackedEventMessage<?>>map(event -> event)
                .filter(event -> member.wants(event, segment) && !holdsBack(event))
                .toList();
        if (free.isEmpty()) {
            return false;
        }
        Exception failure = tryPart(free, afterwards);
        if (failure == null) {
            return false;
        }
        int half = SegmentBatch.half(free);
        if (half == free.size()) {
            park(free.getFirst(), MemberFailedException.causeOf(failure));
            return true;
        }
        boolean hasParked = handleApart(free.subList(0, half), afterwards);
        return handleApart(free.subList(half, free.size()), afterwards) || hasParked;
    }

    /**
     * Handles events in a part of the current transaction. Returns why it has failed and was taken back; null: it has
     * not.
     */
    private @Nullable Exception tryPart(List<TrackedEventMessage<?>> events, Consumer<Runnable> afterwards)
            throws Exception {
        parts.parked().beginPart();
        try {
            processor.handlePart(events, segment, member, afterwards);
            parts.parked().endPart();
            return null;
        } catch (Exception e) {
            SegmentWorker.giveUpIfLost(e);
            if (parts.failureClassifier().isOutage(e)) {
                throw e;
            }
            parts.parked().takePartBack();
            return e;
        }
    }

    private void park(TrackedEventMessage<?> event, Throwable cause) {
        if (sequences.size() >= PARKED_MAX) {
            throw new ParkedEventLimitException(member);
        }
        ParkedEventPosition parked = placeOf(event);
        parts.parked().park(name, parked, cause);
        boolean isFirst = sequences.isEmpty();
        sequences.add(parked.sequence());
        try (var _ = TraceId.open(traceOf(event))) {
            log.error(
                    "The processor {} parks event {} because of {}. Later events of {} wait behind it."
                            + " Repair the cause: the event is tried again by itself, or at the desk.",
                    name,
                    parked.position(),
                    cause.toString(),
                    parked.sequence(),
                    // A fault of the handler parks many events, each with its cause in the table.
                    isFirst ? cause : null);
        }
    }

    private static @Nullable TraceId traceOf(TrackedEventMessage<?> event) {
        try {
            return TraceId.in(event).orElse(null);
        } catch (RuntimeException unreadable) {
            return null;
        }
    }

    /** Returns the place of an event that is to be parked. */
    private ParkedEventPosition placeOf(TrackedEventMessage<?> event) {
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
    }

    /** Tries a parked event. Returns whether it was handled; if so, the next event of its sequence may be tried. */
    private boolean retry(ParkedEventPosition parked) throws InterruptedException {
        try {
            List<TrackedEventMessage<?>> events = eventsAt(parked.position());
            if (events.stream().anyMatch(UnknownEventException::isUnknown)) {
                // This process does not know the type of the event. A process of a newer version has parked the event,
                // and can handle it.
                parts.parked().later(name, parked);
                return false;
            }
            events.removeIf(event -> !member.wants(event, segment));
            processor.handle(events, segment, (each, _) -> each == member, _ -> {}, () -> {
                parts.tokens().extendClaim(processor.getName(), segment.getSegmentId());
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
                parts.parked().failedAgain(name, parked, MemberFailedException.causeOf(e));
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
