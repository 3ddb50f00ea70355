package lottery.store.processing;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import lottery.store.processing.ParkedEventStore.ParkedEventPosition;
import lottery.store.trace.TraceId;
import org.axonframework.common.stream.BlockingStream;
import org.axonframework.eventhandling.Segment;
import org.axonframework.eventhandling.TrackedEventMessage;
import org.axonframework.eventhandling.TrackingToken;
import org.axonframework.eventhandling.tokenstore.UnableToClaimTokenException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handles one segment of a processor, as long as this process has claimed it. An event that fails again and again is
 * parked, and the other events are handled.
 */
final class SegmentWorker {

    private static final Logger log = LoggerFactory.getLogger(SegmentWorker.class);

    private static final Duration GATHERING = Duration.ofMillis(50);

    private static final int WAIT_MS = 500;

    /** The longest time between two stores of the token while no handler wants any of the events. */
    private static final Duration TOKEN_AGE_MAX = Duration.ofSeconds(3);

    private final BatchEventProcessor processor;
    private final ProcessorRun run;
    private final ProcessorDependencies parts;
    private final Segment segment;
    private final String name;
    private final BatchBackoff backoff;
    private final ParkedSequences parkedSequences;
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile boolean lost;

    private @Nullable TrackingToken token;
    private @Nullable TrackingToken storedToken;
    private long storedAtNanos;

    /** The batch that is being handled right now. */
    private @Nullable SegmentBatch underWay;

    /** Whether to pause before the next batch, so that it grows. */
    private boolean gathers;

    SegmentWorker(BatchEventProcessor processor, ProcessorRun run, ProcessorDependencies parts, Segment segment) {
        this.processor = processor;
        this.run = run;
        this.parts = parts;
        this.segment = segment;
        this.name = processor.getName();
        this.backoff = new BatchBackoff(name, parts);
        this.parkedSequences = new ParkedSequences(processor, parts, segment);
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
            log.warn("The processor {} could not begin: {}. It tries again.", name, parts.textOf(e));
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
        processor.status(segment, parkedSequences::healthOf);
        return true;
    }

    /**
     * Reads the position of this segment from its stored token, because the position that this thread knows may be
     * wrong.
     */
    private void readToken() {
        token = parts.transactions().fetchInTransaction(() -> parts.tokens().fetchToken(name, segment));
        stored(token);
        parkedSequences.read();
    }

    private void follow() throws InterruptedException {
        while (goesOn()) {
            try (BlockingStream<TrackedEventMessage<?>> stream = parts.log().openStream(token)) {
                while (goesOn()) {
                    // After a failure this worker may wait for a resource that is unavailable. Meanwhile it takes no
                    // turn, so that other processors can take it.
                    if (stream.hasNextAvailable(WAIT_MS, TimeUnit.MILLISECONDS) && !backoff.isBackingOff()) {
                        parts.turns().take(() -> step(stream));
                    } else {
                        step(stream);
                    }
                    parkedSequences.retryDue(this::goesOn);
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
        backoff.failed(failure, underWay);
        underWay = null;
        while (goesOn()) {
            giveUpIfLost(latest);
            Exception cause = latest;
            processor.status(segment, status -> status.markError(cause));
            run.pause(backoff.nextPause());
            try {
                readToken();
                processor.isAt(token);
                // Parked events are tried even while the batch fails. It may fail because too many events are parked.
                parkedSequences.retryDue(this::goesOn);
                return;
            } catch (RuntimeException e) {
                log.warn("The processor {} cannot go on yet: {}. It tries again.", name, parts.textOf(e));
                latest = e;
            }
        }
    }

    /** Handles a batch, unless the processor was stopped or has lost its claim while it waited for its turn. */
    private void step(BlockingStream<TrackedEventMessage<?>> stream) throws Exception {
        if (!goesOn()) {
            return;
        }
        SegmentBatch batch =
                SegmentBatch.read(stream, token, backoff.eventsMax(), event -> processor.wants(event, segment));
        if (batch.events().isEmpty()) {
            pass(batch.upTo());
        } else {
            underWay = batch;
            Optional<Throwable> reason = backoff.reasonToPark(batch);
            if (reason.isPresent()) {
                park(batch, reason.get());
                backoff.parked();
            } else {
                handle(batch);
                backoff.handled();
            }
            underWay = null;
            gathers = batch.isWorthGathering();
        }
        if (!stream.hasNextAvailable()) {
            processor.status(
                    segment,
                    status -> parkedSequences.healthOf(parkedSequences.isEmpty() ? status.caughtUp() : status));
        }
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
                        || distance(storedToken, token) >= SegmentBatch.EVENTS_READ_MAX)) {
            parts.transactions()
                    .executeInTransaction(() -> parts.tokens().storeToken(token, name, segment.getSegmentId()));
            stored(token);
        }
    }

    /** Handles events and moves the token. Events behind a parked one are parked as well. */
    private void handle(SegmentBatch batch) throws Exception {
        parkedSequences.readBefore(batch.events());
        List<TrackedEventMessage<?>> free = new ArrayList<>(batch.events().size());
        List<ParkedEventPosition> behind = new ArrayList<>();
        for (TrackedEventMessage<?> event : batch.events()) {
            if (parkedSequences.holdsBack(event)) {
                behind.add(parkedSequences.placeOf(event));
            } else {
                free.add(event);
            }
        }
        if (!behind.isEmpty()) {
            parkedSequences.requireRoom();
        }
        processor.handle(free, segment, () -> {
            behind.forEach(parked -> parts.parked().parkBehind(name, parked));
            parts.tokens().storeToken(batch.upTo(), name, segment.getSegmentId());
        });
        stored(batch.upTo());
        advanceTo(batch.upTo());
    }

    private void park(SegmentBatch batch, Throwable cause) {
        parkedSequences.requireRoom();
        ParkedEventPosition parked = parkedSequences.placeOf(batch.events().getFirst());
        parts.transactions().executeInTransaction(() -> {
            parts.parked().park(name, parked, cause);
            parts.tokens().storeToken(batch.upTo(), name, segment.getSegmentId());
        });
        parkedSequences.add(parked);
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

    private void advanceTo(@Nullable TrackingToken upTo) {
        token = upTo;
        processor.isAt(upTo);
        processor.status(segment, status -> parkedSequences.healthOf(status.advancedTo(upTo)));
    }

    private void stored(@Nullable TrackingToken upTo) {
        storedToken = upTo;
        storedAtNanos = System.nanoTime();
    }

    static void giveUpIfLost(Exception failure) throws InterruptedException {
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

    private static long distance(@Nullable TrackingToken from, @Nullable TrackingToken to) {
        return place(to) - place(from);
    }

    private static long place(@Nullable TrackingToken token) {
        return token == null ? 0 : token.position().orElse(0);
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
