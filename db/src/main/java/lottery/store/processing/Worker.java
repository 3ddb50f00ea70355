package lottery.store.processing;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import lottery.store.processing.BatchProcessor.Parts;
import lottery.store.processing.BatchProcessor.Run;
import lottery.store.processing.ParkedEvents.Parked;
import org.axonframework.common.stream.BlockingStream;
import org.axonframework.eventhandling.GlobalSequenceTrackingToken;
import org.axonframework.eventhandling.Segment;
import org.axonframework.eventhandling.TrackedEventMessage;
import org.axonframework.eventhandling.TrackerStatus;
import org.axonframework.eventhandling.TrackingToken;
import org.axonframework.eventhandling.WrappedToken;
import org.axonframework.eventhandling.tokenstore.UnableToClaimTokenException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One segment of a processor, for as long as this process has it. When a batch fails, its events are handled one by
 * one; the one that fails alone is tried a few times and then parked, and the rest goes on.
 */
final class Worker {

    private static final Logger log = LoggerFactory.getLogger(Worker.class);

    /** Enough that a transaction costs little beside its events. */
    private static final int EVENTS_PER_BATCH_MAX = 200;

    /** A processor that wants few of all events reads on, but not for ever. */
    private static final int EVENTS_READ_MAX = 2_000;

    private static final int WAIT_MS = 500;

    /** A word to the token store this often keeps the claim. */
    private static final Duration CLAIM_WORD = Duration.ofSeconds(3);

    /** So often is an event tried that fails by itself. */
    private static final int ATTEMPTS_MAX = 3;

    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
    private static final Duration PAUSE_MAX = Duration.ofSeconds(2);

    /** So many are put aside; more of them are no accident, and then standing still is better. */
    private static final int PARKED_MAX = 10_000;

    private static final Duration PARKED_LOOK = Duration.ofSeconds(1);
    private static final int PARKED_DUE_MAX = 100;

    private final BatchProcessor processor;
    private final Run run;
    private final Parts parts;
    private final Segment segment;
    private final String name;

    private @Nullable TrackingToken token;
    private @Nullable TrackingToken storedToken;
    private long wordAtNanos = System.nanoTime();
    private Set<String> waiting = new HashSet<>();
    private long lookedAtNanos = System.nanoTime();

    Worker(BatchProcessor processor, Run run, Parts parts, Segment segment) {
        this.processor = processor;
        this.run = run;
        this.parts = parts;
        this.segment = segment;
        this.name = processor.getName();
    }

    /** Events that were read, of which the handlers want some. */
    private record Batch(
            List<TrackedEventMessage<?>> events, @Nullable TrackingToken upTo) {}

    void work() {
        try {
            if (claim()) {
                follow();
                release();
            }
        } catch (UnableToClaimTokenException e) {
            log.info("Another process handles segment {} of {} now", segment.getSegmentId(), name);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean claim() {
        try {
            token = parts.transactions().fetchInTransaction(() -> parts.tokens().fetchToken(name, segment));
            storedToken = token;
            waiting = parts.parked().sequences(name);
        } catch (UnableToClaimTokenException e) {
            return false;
        }
        processor.begins(segment, token);
        processor.status(segment, this::healthy);
        return true;
    }

    private void follow() throws InterruptedException {
        Duration pause = FIRST_PAUSE;
        while (run.goesOn()) {
            try (BlockingStream<TrackedEventMessage<?>> stream = parts.log().openStream(token)) {
                while (run.goesOn()) {
                    step(stream);
                    pause = FIRST_PAUSE;
                }
            } catch (UnableToClaimTokenException e) {
                throw e;
            } catch (RuntimeException e) {
                log.warn("{} stands still and tries again: {}", name, e.toString());
                processor.status(segment, status -> status.markError(e));
                run.pause(pause);
                pause = longer(pause);
            }
        }
    }

    private void step(BlockingStream<TrackedEventMessage<?>> stream) throws InterruptedException {
        Batch batch = read(stream);
        if (batch.events().isEmpty()) {
            pass(batch.upTo());
        } else {
            handle(batch);
        }
        if (!stream.hasNextAvailable()) {
            processor.status(segment, status -> healthy(waiting.isEmpty() ? status.caughtUp() : status));
        }
        retryParked();
    }

    private Batch read(BlockingStream<TrackedEventMessage<?>> stream) throws InterruptedException {
        List<TrackedEventMessage<?>> events = new ArrayList<>();
        TrackingToken upTo = token;
        int read = 0;
        boolean more = stream.hasNextAvailable(WAIT_MS, TimeUnit.MILLISECONDS);
        while (more) {
            TrackedEventMessage<?> event = stream.nextAvailable();
            read++;
            upTo = WrappedToken.advance(upTo, event.trackingToken());
            if (processor.wants(event, segment)) {
                events.add(event.withTrackingToken(upTo));
            }
            boolean full = events.size() >= EVENTS_PER_BATCH_MAX || read >= EVENTS_READ_MAX;
            more = stream.hasNextAvailable(0, TimeUnit.NANOSECONDS) && (!full || belongsTo(event, stream.peek()));
        }
        return new Batch(events, upTo);
    }

    /** What an upcaster has made of one event stays together. */
    private static boolean belongsTo(TrackedEventMessage<?> event, Optional<? extends TrackedEventMessage<?>> next) {
        return next.filter(other -> other.trackingToken().equals(event.trackingToken()))
                .isPresent();
    }

    /** Nobody wants these: that they were seen is said now and then, and is no loss if it is forgotten. */
    private void pass(@Nullable TrackingToken upTo) {
        advanceTo(upTo);
        if (System.nanoTime() - wordAtNanos > CLAIM_WORD.toNanos()) {
            parts.transactions().executeInTransaction(() -> {
                if (Objects.equals(token, storedToken)) {
                    parts.tokens().extendClaim(name, segment.getSegmentId());
                } else {
                    parts.tokens().storeToken(token, name, segment.getSegmentId());
                }
            });
            stored(token);
        }
    }

    private void handle(Batch batch) throws InterruptedException {
        try {
            transact(batch.events(), batch.upTo());
        } catch (Exception e) {
            giveUpIfLost(e);
            log.warn(
                    "{} handles {} events one by one, because of {}",
                    name,
                    batch.events().size(),
                    e.toString());
            handleOneByOne(batch);
        }
    }

    private void handleOneByOne(Batch batch) throws InterruptedException {
        List<TrackedEventMessage<?>> events = batch.events();
        for (int i = 0; i < events.size() && run.goesOn(); i++) {
            int from = i;
            while (i + 1 < events.size() && belongsTo(events.get(from), Optional.of(events.get(i + 1)))) {
                i++;
            }
            handleOrPark(events.subList(from, i + 1));
        }
        if (run.goesOn()) {
            advanceTo(batch.upTo());
        }
    }

    private void handleOrPark(List<TrackedEventMessage<?>> events) throws InterruptedException {
        TrackingToken upTo = events.getLast().trackingToken();
        Duration pause = FIRST_PAUSE;
        for (int attempt = 1; run.goesOn(); attempt++) {
            try {
                transact(events, upTo);
                return;
            } catch (Exception e) {
                giveUpIfLost(e);
                processor.status(segment, status -> status.markError(e));
                if (attempt >= ATTEMPTS_MAX && !parts.outages().isOutage(e) && park(events, upTo, e)) {
                    return;
                }
                if (attempt == 1 || attempt % 10 == 0) {
                    log.warn("{} cannot handle event {}, attempt {}", name, position(events.getFirst()), attempt, e);
                }
                run.pause(pause);
                pause = longer(pause);
            }
        }
    }

    private boolean park(List<TrackedEventMessage<?>> events, TrackingToken upTo, Exception cause) {
        if (parts.parked().count(name) >= PARKED_MAX) {
            return false;
        }
        TrackedEventMessage<?> event = events.getFirst();
        Parked parked = new Parked(parts.sequences().of(event), position(event));
        parts.transactions().executeInTransaction(() -> {
            parts.parked().park(name, parked, cause);
            parts.tokens().storeToken(upTo, name, segment.getSegmentId());
        });
        waiting.add(parked.sequence());
        stored(upTo);
        advanceTo(upTo);
        log.error(
                "{} has parked event {}, and what else comes of {}", name, parked.position(), parked.sequence(), cause);
        return true;
    }

    /** Handles events, but those behind a parked one wait with it, and moves the token. */
    private void transact(List<TrackedEventMessage<?>> events, @Nullable TrackingToken upTo) throws Exception {
        List<TrackedEventMessage<?>> free = new ArrayList<>(events.size());
        List<Parked> behind = new ArrayList<>();
        for (TrackedEventMessage<?> event : events) {
            String sequence = waiting.isEmpty() ? "" : parts.sequences().of(event);
            if (waiting.contains(sequence)) {
                behind.add(new Parked(sequence, position(event)));
            } else {
                free.add(event);
            }
        }
        processor.handle(free, segment, () -> {
            behind.forEach(parked -> parts.parked().parkBehind(name, parked));
            parts.tokens().storeToken(upTo, name, segment.getSegmentId());
        });
        stored(upTo);
        advanceTo(upTo);
    }

    private void retryParked() throws InterruptedException {
        if (waiting.isEmpty() || System.nanoTime() - lookedAtNanos < PARKED_LOOK.toNanos()) {
            return;
        }
        List<Parked> due = parts.parked().due(name, PARKED_DUE_MAX);
        for (int i = 0; i < due.size() && run.goesOn(); i++) {
            retry(due.get(i));
        }
        waiting = parts.parked().sequences(name);
        lookedAtNanos = System.nanoTime();
        processor.status(segment, this::healthy);
    }

    private void retry(Parked parked) throws InterruptedException {
        try {
            processor.handle(
                    eventsAt(parked.position()), segment, () -> parts.parked().handled(name, parked));
            log.info("{} has handled event {} that was parked", name, parked.position());
        } catch (Exception e) {
            giveUpIfLost(e);
            if (!parts.outages().isOutage(e)) {
                parts.parked().failedAgain(name, parked, e);
            }
        }
    }

    private List<TrackedEventMessage<?>> eventsAt(long position) throws InterruptedException {
        List<TrackedEventMessage<?>> events = new ArrayList<>();
        try (BlockingStream<TrackedEventMessage<?>> stream =
                parts.log().openStream(new GlobalSequenceTrackingToken(position - 1))) {
            while (stream.hasNextAvailable()
                    && stream.peek().filter(next -> position(next) == position).isPresent()) {
                TrackedEventMessage<?> event = stream.nextAvailable();
                if (processor.wants(event, segment)) {
                    events.add(event);
                }
            }
        }
        return events;
    }

    private void advanceTo(@Nullable TrackingToken upTo) {
        token = upTo;
        processor.status(segment, status -> healthy(status.advancedTo(upTo)));
    }

    /** Whoever relies on a processor has to know that it goes on without some events. */
    private TrackerStatus healthy(TrackerStatus status) {
        return waiting.isEmpty()
                ? status.unmarkError()
                : status.markError(
                        new IllegalStateException("events of %d sequences are parked".formatted(waiting.size())));
    }

    private void stored(@Nullable TrackingToken upTo) {
        storedToken = upTo;
        wordAtNanos = System.nanoTime();
    }

    private static void giveUpIfLost(Exception failure) throws InterruptedException {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof UnableToClaimTokenException lost) {
                throw lost;
            }
            if (cause instanceof InterruptedException) {
                throw new InterruptedException();
            }
        }
    }

    private static Duration longer(Duration pause) {
        Duration twice = pause.multipliedBy(2);
        return twice.compareTo(PAUSE_MAX) > 0 ? PAUSE_MAX : twice;
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
            log.warn("{} could not give back segment {}: {}", name, segment.getSegmentId(), e.getMessage());
        }
    }
}
