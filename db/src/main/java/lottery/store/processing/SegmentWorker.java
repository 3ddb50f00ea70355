package lottery.store.processing;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import lottery.store.processing.BatchEventProcessor.ProcessorDependencies;
import lottery.store.processing.BatchEventProcessor.ProcessorRun;
import lottery.store.processing.ParkedEventStore.ParkedEventPosition;
import lottery.store.trace.TraceId;
import org.axonframework.common.stream.BlockingStream;
import org.axonframework.eventhandling.GlobalSequenceTrackingToken;
import org.axonframework.eventhandling.Segment;
import org.axonframework.eventhandling.TrackedEventMessage;
import org.axonframework.eventhandling.TrackerStatus;
import org.axonframework.eventhandling.TrackingToken;
import org.axonframework.eventhandling.WrappedToken;
import org.axonframework.eventhandling.tokenstore.UnableToClaimTokenException;
import org.axonframework.serialization.UnknownSerializedType;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handles one segment of a processor, as long as this process has claimed it. If a batch fails, the next batch has a
 * tenth of its size, and so on, down to a single event. After each success the size doubles. An event that fails alone
 * is tried a few times and then parked, and the other events are handled.
 */
final class SegmentWorker {

    private static final Logger log = LoggerFactory.getLogger(SegmentWorker.class);

    /** The most events of a batch. With so many, the transaction costs little compared with the events. */
    private static final int EVENTS_PER_BATCH_MAX = 500;

    /** After a batch with this many events, a short pause is worthwhile, so that the next batch grows. */
    private static final int BUSY_FROM = 100;

    /**
     * How many times smaller the next batch is after a batch has failed. A single event that fails is found after a few
     * failures. A batch that was too large, or took too long, is divided into smaller batches before it is divided into
     * single events.
     */
    private static final int DIVISOR_AFTER_FAILURE = 10;

    private static final Duration GATHERING = Duration.ofMillis(50);

    /** The most events that are read for a batch. It limits the search of a processor that wants few of the events. */
    private static final int EVENTS_READ_MAX = 2_000;

    private static final int WAIT_MS = 500;

    /** The longest time between two stores of the token while no handler wants any of the events. */
    private static final Duration TOKEN_AGE_MAX = Duration.ofSeconds(3);

    /** How often an event that fails alone is tried. */
    private static final int ATTEMPTS_MAX = 3;

    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
    private static final Duration PAUSE_MAX = Duration.ofSeconds(2);

    /**
     * How many events may be parked. More parked events would point to a general fault. Therefore no further event is
     * parked, and its batch fails until there is room.
     */
    private static final int PARKED_MAX = 10_000;

    private static final Duration PARKED_LOOK = Duration.ofSeconds(1);
    private static final Duration PARKED_TIME_MAX = Duration.ofSeconds(2);
    private static final int PARKED_DUE_MAX = 100;

    private final BatchEventProcessor processor;
    private final ProcessorRun run;
    private final ProcessorDependencies parts;
    private final Segment segment;
    private final String name;
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile boolean lost;

    private @Nullable TrackingToken token;
    private @Nullable TrackingToken storedToken;
    private long storedAtNanos;
    private Set<String> waiting = new HashSet<>();
    private long lookedAtNanos = System.nanoTime();

    /** The batch that is being handled right now. */
    private @Nullable SegmentBatch underWay;

    /** The most events of the next batch. A failure makes it smaller, and each success doubles it. */
    private int eventsMax = EVENTS_PER_BATCH_MAX;

    private @Nullable EventFailure failing;

    /** Whether to pause before the next batch, so that it grows. */
    private boolean gathers;

    private Duration pause = FIRST_PAUSE;

    SegmentWorker(BatchEventProcessor processor, ProcessorRun run, ProcessorDependencies parts, Segment segment) {
        this.processor = processor;
        this.run = run;
        this.parts = parts;
        this.segment = segment;
        this.name = processor.getName();
    }

    /**
     * The events that the handlers may want, out of those that were read.
     *
     * @param isAll whether the log had no more events
     */
    private record SegmentBatch(
            List<TrackedEventMessage<?>> events, @Nullable TrackingToken upTo, boolean isAll) {

        /**
         * Returns whether to wait so that the next batch grows, because a transaction costs the same for few events and
         * for many. A processor that is behind does not wait, because the log already has enough events for its next
         * batch.
         */
        boolean isWorthGathering() {
            return isAll && events.size() >= BUSY_FROM;
        }

        /** Returns the number of stored events. An upcaster may have made several events from one of them. */
        int size() {
            return Math.toIntExact(
                    events.stream().map(SegmentWorker::position).distinct().count());
        }

        boolean isSingle() {
            return size() == 1;
        }

        long first() {
            return position(events.getFirst());
        }
    }

    /** An event that has failed although it was handled alone. Its attempts during an outage do not count. */
    private record EventFailure(long position, int attempts, Throwable cause) {}

    /** No further event may be parked. */
    private static final class ParkedEventLimitException extends RuntimeException {

        private static final long serialVersionUID = 1;

        ParkedEventLimitException(String message) {
            super(message);
        }
    }

    void work() {
        try {
            if (claim()) {
                follow();
                release();
            }
        } catch (UnableToClaimTokenException e) {
            log.info(
                    "The processor {} gives up segment {}: {}. It claims the segment again when it is free.",
                    name,
                    segment.getSegmentId(),
                    e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            log.warn("The processor {} could not begin: {}. It tries again.", name, textOf(e));
        }
    }

    void ends() {
        ended.countDown();
    }

    boolean awaitEnd(Duration max) throws InterruptedException {
        return ended.await(max.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** Extends the claim. Another thread calls this, because the worker may be busy for longer than a claim lasts. */
    void keepClaim() {
        try {
            parts.transactions().executeInTransaction(() -> parts.tokens().extendClaim(name, segment.getSegmentId()));
        } catch (UnableToClaimTokenException e) {
            log.info(
                    "The processor {} has lost segment {}: {}. Another process may handle its events.",
                    name,
                    segment.getSegmentId(),
                    e.getMessage());
            lost = true;
        }
    }

    private boolean goesOn() {
        return run.goesOn() && !lost;
    }

    private boolean claim() {
        try {
            readToken();
        } catch (UnableToClaimTokenException e) {
            return false;
        }
        processor.begins(segment, token);
        processor.status(segment, this::healthy);
        return true;
    }

    /**
     * Reads the position of this segment from its stored token, because the position that this thread knows may be
     * wrong.
     */
    private void readToken() {
        token = parts.transactions().fetchInTransaction(() -> parts.tokens().fetchToken(name, segment));
        stored(token);
        waiting = parts.parked().sequences(name);
    }

    private void follow() throws InterruptedException {
        while (goesOn()) {
            try (BlockingStream<TrackedEventMessage<?>> stream = parts.log().openStream(token)) {
                while (goesOn()) {
                    // After a failure this worker may wait for a resource that is unavailable. Meanwhile it takes no
                    // turn, so that other processors can take it.
                    if (stream.hasNextAvailable(WAIT_MS, TimeUnit.MILLISECONDS) && pause.equals(FIRST_PAUSE)) {
                        parts.turns().take(() -> step(stream));
                    } else {
                        step(stream);
                    }
                    retryParked();
                    gather();
                }
            } catch (Exception e) {
                recover(e);
            }
        }
    }

    /**
     * Pauses so that the next batch grows. Meanwhile it holds no turn to handle a batch, so that other processors can
     * use the turn.
     */
    private void gather() throws InterruptedException {
        if (gathers) {
            gathers = false;
            run.pause(GATHERING);
        }
    }

    /**
     * Continues after a failure. It tries to read the stored token until this succeeds, because the failure may have
     * occurred after the commit. Then the batch need not be repeated.
     */
    private void recover(Exception failure) throws InterruptedException {
        Exception latest = failure;
        giveUpIfLost(failure);
        judge(failure);
        while (goesOn()) {
            giveUpIfLost(latest);
            Exception cause = latest;
            processor.status(segment, status -> status.markError(cause));
            run.pause(pause);
            pause = longer(pause);
            try {
                readToken();
                processor.isAt(token);
                // Parked events are tried even while the batch fails. It may fail because too many events are parked.
                retryParked();
                return;
            } catch (RuntimeException e) {
                log.warn("The processor {} cannot go on yet: {}. It tries again.", name, textOf(e));
                latest = e;
            }
        }
    }

    private void judge(Exception failure) {
        SegmentBatch batch = underWay;
        underWay = null;
        if (parts.failureClassifier().lockWaitedFor(failure).isPresent()) {
            // Neither the events nor PostgreSQL are at fault. The batch is not divided, and the pause is short because
            // the wait for the lock was long.
            log.warn("The processor {} has waited for a lock, and tries again: {}", name, textOf(failure));
            pause = FIRST_PAUSE;
        } else if (batch == null) {
            log.warn("The processor {} cannot read the log: {}. It tries again.", name, failure.toString());
        } else if (!batch.isSingle()) {
            eventsMax = Math.max(1, batch.size() / DIVISOR_AFTER_FAILURE);
            log.warn(
                    "The processor {} failed with {} events together: {}. It tries again with at most {}.",
                    name,
                    batch.size(),
                    failure.toString(),
                    eventsMax);
        } else if (failure instanceof ParkedEventLimitException) {
            // The event itself has not failed. If it has failed before, its cause is kept.
            log.warn(
                    "The processor {} stands still at event {}: {}. Retry or drop parked events at the desk.",
                    name,
                    batch.first(),
                    failure.getMessage());
        } else {
            EventFailure before = failing;
            int attempts = before != null && before.position() == batch.first() ? before.attempts() : 0;
            if (!parts.failureClassifier().isOutage(failure)) {
                attempts++;
            }
            failing = new EventFailure(batch.first(), attempts, failure);
            // The event is read alone again, although more events may come meanwhile.
            eventsMax = 1;
            log.warn(
                    "The processor {} cannot handle event {}: {}. It tries again.",
                    name,
                    batch.first(),
                    failure.toString());
        }
    }

    /** Describes a failure. For a lock timeout, it also names the transaction that may hold the lock. */
    private String textOf(Throwable failure) {
        return parts.failureClassifier()
                .lockWaitedFor(failure)
                .map(lock -> "no lock %s; %s".formatted(lock, parts.open().idleLongest()))
                .orElseGet(failure::toString);
    }

    /** Handles a batch, unless the processor was stopped or has lost its claim while it waited for its turn. */
    private void step(BlockingStream<TrackedEventMessage<?>> stream) throws Exception {
        if (!goesOn()) {
            return;
        }
        SegmentBatch batch = read(stream);
        if (batch.events().isEmpty()) {
            pass(batch.upTo());
        } else {
            underWay = batch;
            if (failing != null
                    && batch.isSingle()
                    && failing.position() == batch.first()
                    && failing.attempts() >= ATTEMPTS_MAX) {
                park(batch, failing.cause());
            } else {
                handle(batch);
                eventsMax = Math.min(2 * eventsMax, EVENTS_PER_BATCH_MAX);
            }
            underWay = null;
            failing = null;
            pause = FIRST_PAUSE;
            gathers = batch.isWorthGathering();
        }
        if (!stream.hasNextAvailable()) {
            processor.status(segment, status -> healthy(waiting.isEmpty() ? status.caughtUp() : status));
        }
    }

    private SegmentBatch read(BlockingStream<TrackedEventMessage<?>> stream) throws InterruptedException {
        List<TrackedEventMessage<?>> events = new ArrayList<>();
        TrackingToken upTo = token;
        int read = 0;
        boolean more = stream.hasNextAvailable(0, TimeUnit.NANOSECONDS);
        while (more) {
            TrackedEventMessage<?> event = stream.nextAvailable();
            read++;
            upTo = WrappedToken.advance(upTo, event.trackingToken());
            if (processor.wants(event, segment)) {
                events.add(event.withTrackingToken(upTo));
            }
            boolean full = events.size() >= eventsMax || read >= EVENTS_READ_MAX;
            more = stream.hasNextAvailable(0, TimeUnit.NANOSECONDS) && (!full || belongsTo(event, stream.peek()));
        }
        boolean isAll = events.size() < eventsMax && read < EVENTS_READ_MAX;
        return new SegmentBatch(events, upTo, isAll);
    }

    /** Returns whether an upcaster has made both events from one stored event. Such events stay in one batch. */
    private static boolean belongsTo(TrackedEventMessage<?> event, Optional<? extends TrackedEventMessage<?>> next) {
        return next.filter(other -> other.trackingToken().equals(event.trackingToken()))
                .isPresent();
    }

    /**
     * Skips events that no handler wants. The token is stored only now and then, because no event is lost if the
     * process ends in between. Other processes may wait for this position. A newer stored token leaves fewer events for
     * them to check.
     */
    private void pass(@Nullable TrackingToken upTo) {
        advanceTo(upTo);
        if (!Objects.equals(token, storedToken)
                && (System.nanoTime() - storedAtNanos > TOKEN_AGE_MAX.toNanos()
                        || distance(storedToken, token) >= EVENTS_READ_MAX)) {
            parts.transactions()
                    .executeInTransaction(() -> parts.tokens().storeToken(token, name, segment.getSegmentId()));
            stored(token);
        }
    }

    /** Handles events and moves the token. Events behind a parked one are parked as well. */
    private void handle(SegmentBatch batch) throws Exception {
        if (!waiting.isEmpty() && batch.events().stream().anyMatch(event -> waiting.contains(sequenceOf(event)))) {
            // The parked sequences are read again. A replay may have handled the parked events behind which these
            // events would wait.
            waiting = parts.parked().sequences(name);
        }
        List<TrackedEventMessage<?>> free = new ArrayList<>(batch.events().size());
        List<ParkedEventPosition> behind = new ArrayList<>();
        for (TrackedEventMessage<?> event : batch.events()) {
            String sequence = waiting.isEmpty() ? "" : sequenceOf(event);
            if (waiting.contains(sequence)) {
                behind.add(new ParkedEventPosition(sequence, position(event)));
            } else {
                free.add(event);
            }
        }
        if (!behind.isEmpty()) {
            checkRoom();
        }
        processor.handle(free, segment, () -> {
            behind.forEach(parked -> parts.parked().parkBehind(name, parked));
            parts.tokens().storeToken(batch.upTo(), name, segment.getSegmentId());
        });
        stored(batch.upTo());
        advanceTo(batch.upTo());
    }

    private void park(SegmentBatch batch, Throwable cause) {
        checkRoom();
        ParkedEventPosition parked =
                new ParkedEventPosition(sequenceOf(batch.events().getFirst()), batch.first());
        parts.transactions().executeInTransaction(() -> {
            parts.parked().park(name, parked, cause);
            parts.tokens().storeToken(batch.upTo(), name, segment.getSegmentId());
        });
        waiting.add(parked.sequence());
        stored(batch.upTo());
        advanceTo(batch.upTo());
        try (var _ = TraceId.open(traceOf(batch.events().getFirst()))) {
            log.error(
                    "The processor {} has parked event {}. Later events of {} wait behind it."
                            + " Repair the cause: the event is tried again by itself, or at the desk.",
                    name,
                    parked.position(),
                    parked.sequence(),
                    cause);
        }
    }

    private static @Nullable TraceId traceOf(TrackedEventMessage<?> event) {
        try {
            return TraceId.in(event).orElse(null);
        } catch (RuntimeException unreadable) {
            return null;
        }
    }

    private void checkRoom() {
        if (parts.parked().count(name) >= PARKED_MAX) {
            throw new ParkedEventLimitException(
                    "%d events of %s are parked, and no more may be".formatted(PARKED_MAX, name));
        }
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

    private void retryParked() throws InterruptedException {
        if (waiting.isEmpty() || System.nanoTime() - lookedAtNanos < PARKED_LOOK.toNanos()) {
            return;
        }
        long begunNanos = System.nanoTime();
        boolean some = true;
        while (some) {
            some = false;
            for (ParkedEventPosition parked : parts.parked().due(name, PARKED_DUE_MAX)) {
                if (!goesOn() || System.nanoTime() - begunNanos > PARKED_TIME_MAX.toNanos()) {
                    some = false;
                    break;
                }
                some |= retry(parked);
            }
        }
        waiting = parts.parked().sequences(name);
        lookedAtNanos = System.nanoTime();
        processor.status(segment, this::healthy);
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
            giveUpIfLost(e);
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
            if (!stream.hasNextAvailable(WAIT_MS, TimeUnit.MILLISECONDS)) {
                throw new IllegalStateException("the log does not show event %d yet".formatted(position));
            }
            while (stream.hasNextAvailable()
                    && stream.peek().filter(next -> position(next) == position).isPresent()) {
                events.add(stream.nextAvailable());
            }
        }
        return events;
    }

    private void advanceTo(@Nullable TrackingToken upTo) {
        token = upTo;
        processor.isAt(upTo);
        processor.status(segment, status -> healthy(status.advancedTo(upTo)));
    }

    /**
     * Adds an error to the status while events are parked, because users of the processor must know that it has skipped
     * events.
     */
    private TrackerStatus healthy(TrackerStatus status) {
        return waiting.isEmpty()
                ? status.unmarkError()
                : status.markError(
                        new IllegalStateException("events of %d sequences are parked".formatted(waiting.size())));
    }

    private void stored(@Nullable TrackingToken upTo) {
        storedToken = upTo;
        storedAtNanos = System.nanoTime();
    }

    private static void giveUpIfLost(Exception failure) throws InterruptedException {
        Throwable cause = failure;
        for (int depth = 0; cause != null && depth < 50; depth++) {
            if (cause instanceof UnableToClaimTokenException another) {
                throw another;
            }
            if (cause instanceof InterruptedException) {
                throw new InterruptedException();
            }
            cause = cause.getCause();
        }
    }

    private static Duration longer(Duration pause) {
        Duration twice = pause.multipliedBy(2);
        return twice.compareTo(PAUSE_MAX) > 0 ? PAUSE_MAX : twice;
    }

    private static long distance(@Nullable TrackingToken from, @Nullable TrackingToken to) {
        return place(to) - place(from);
    }

    private static long place(@Nullable TrackingToken token) {
        return token == null ? 0 : token.position().orElse(0);
    }

    private static long position(TrackedEventMessage<?> event) {
        return event.trackingToken().position().orElseThrow();
    }

    private void release() {
        try {
            parts.transactions().executeInTransaction(() -> {
                if (!Objects.equals(token, storedToken)) {
                    parts.tokens().storeToken(token, name, segment.getSegmentId());
                }
                parts.tokens().releaseClaim(name, segment.getSegmentId());
            });
        } catch (RuntimeException e) {
            log.warn(
                    "The processor {} could not release segment {}: {}. Other processes get it when its claim expires.",
                    name,
                    segment.getSegmentId(),
                    e.getMessage());
        }
    }
}
