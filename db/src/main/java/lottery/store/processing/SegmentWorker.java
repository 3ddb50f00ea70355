package lottery.store.processing;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BiPredicate;
import lottery.store.axon.LogTokenStore;
import lottery.store.axon.UnknownEventException;
import org.axonframework.common.stream.BlockingStream;
import org.axonframework.eventhandling.Segment;
import org.axonframework.eventhandling.TrackedEventMessage;
import org.axonframework.eventhandling.TrackerStatus;
import org.axonframework.eventhandling.TrackingToken;
import org.axonframework.eventhandling.tokenstore.UnableToClaimTokenException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handles one segment of a processor, as long as this process has claimed it. If an event fails again and again for a
 * member, it is parked for that member. The member's other events, and all events of the other members, are handled.
 */
final class SegmentWorker {

    private static final Logger log = LoggerFactory.getLogger(SegmentWorker.class);

    private static final Duration GATHERING = Duration.ofMillis(50);

    private static final int WAIT_MS = 500;

    /** How long a process that does not know an event leaves its segment to others. */
    private static final Duration LEFT_TO_NEWER = Duration.ofSeconds(5);

    /** The longest time between two stores of the token while no handler wants any of the events. */
    private static final Duration TOKEN_AGE_MAX = Duration.ofSeconds(3);

    private final BatchEventProcessor processor;
    private final ProcessorRun run;
    private final ProcessorDependencies parts;
    private final Segment segment;
    private final String name;
    private final BatchBackoff backoff;

    /** The parked sequences of each member of this process. */
    private final List<ParkedSequences> all;

    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile boolean lost;
    private Duration pauseAfterwards = Duration.ZERO;

    private @Nullable TrackingToken token;
    private @Nullable TrackingToken storedToken;
    private long storedAtNanos;

    /** The parked sequences of each member that follows the token. */
    private List<ParkedSequences> following = List.of();

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
        this.all = processor.members().stream()
                .map(member -> new ParkedSequences(processor, member, parts, segment))
                .toList();
    }

    void work() {
        try {
            if (claim()) {
                follow();
                release();
                processor.leaves(parts);
                run.pause(pauseAfterwards);
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
        if (lost) {
            return;
        }
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
        processor.begins(parts, segment, token);
        tellPosition();
        processor.status(parts, this::healthOf);
        return true;
    }

    /** Reports that everything up to the token was handled and committed. */
    private void tellPosition() {
        following.forEach(parked -> parts.positionAwaiter().isAt(parked.member().name(), place(token)));
    }

    /**
     * Adds an error to the status while events are parked, because users of the processor must know that it has skipped
     * events.
     */
    private TrackerStatus healthOf(TrackerStatus status) {
        int parked = parkedSequences();
        return parked == 0
                ? status.unmarkError()
                : status.markError(new IllegalStateException("events of %d sequences are parked".formatted(parked)));
    }

    private int parkedSequences() {
        return following.stream().mapToInt(ParkedSequences::size).sum();
    }

    /**
     * Reads the position of this segment from its stored token, because the position that this thread knows may be
     * wrong.
     */
    private void readToken() {
        parts.transactions().executeInTransaction(() -> {
            token = parts.tokens().fetchToken(name, segment.getSegmentId());
            Set<String> names = processor.following(parts, segment);
            following = all.stream()
                    .filter(parked -> names.contains(parked.member().name()))
                    .toList();
        });
        stored(token);
        following.forEach(ParkedSequences::read);
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
                    retryDue();
                    gather();
                }
            } catch (UnknownEventException unknown) {
                log.warn("The processor {} gives its segment up: {}.", name, unknown.getMessage());
                lost = true;
                pauseAfterwards = LEFT_TO_NEWER;
            } catch (Exception e) {
                recover(e);
            }
        }
    }

    private void retryDue() throws InterruptedException {
        if (parkedSequences() > 0) {
            for (ParkedSequences parked : following) {
                parked.retryDue(this::goesOn);
            }
            processor.status(parts, this::healthOf);
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
        backoff.failed(failure, underWay, processor.members());
        underWay = null;
        while (goesOn()) {
            giveUpIfLost(latest);
            Exception cause = latest;
            processor.status(parts, status -> status.markError(cause));
            run.pause(backoff.nextPause());
            try {
                leaveIfFull(failure);
                readToken();
                tellPosition();
                // Parked events are tried even while the batch fails. It may fail because too many events are parked.
                retryDue();
                return;
            } catch (RuntimeException e) {
                log.warn("The processor {} cannot go on yet: {}. It tries again.", name, parts.textOf(e));
                latest = e;
            }
        }
    }

    /**
     * Lets a member with too many parked events follow no more, so that the other members go on. It must be one whose
     * data a replay can build, when its fault is repaired.
     */
    private void leaveIfFull(Exception failure) {
        if (failure instanceof ParkedSequences.ParkedEventLimitException full
                && full.member().isRebuilt()
                && following.size() > 1
                && parts.tokens() instanceof LogTokenStore table) {
            String member = full.member().name();
            parts.transactions().executeInTransaction(() -> table.leave(name, segment.getSegmentId(), member));
            parts.positionAwaiter().leaves(member);
            log.error(
                    "The read model {} stands still at event {}: {}. A replay builds it anew."
                            + " If the replay fails, repair the cause and request it again.",
                    member,
                    place(token),
                    full.getMessage());
        }
    }

    /** Handles a batch, unless the processor was stopped or has lost its claim while it waited for its turn. */
    private void step(BlockingStream<TrackedEventMessage<?>> stream) throws Exception {
        if (!goesOn()) {
            return;
        }
        SegmentBatch batch = SegmentBatch.read(
                stream,
                token,
                backoff.eventsMax(),
                event -> following.stream().anyMatch(parked -> parked.member().wants(event, segment)));
        if (batch.events().isEmpty()) {
            pass(batch.upTo());
        } else {
            underWay = batch;
            backoff.handled(handle(batch));
            underWay = null;
            gathers = batch.isWorthGathering();
        }
        if (!stream.hasNextAvailable()) {
            processor.status(parts, status -> healthOf(parkedSequences() == 0 ? status.caughtUp() : status));
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
                        || place(token) - place(storedToken) >= SegmentBatch.EVENTS_READ_MAX)) {
            parts.transactions()
                    .executeInTransaction(() -> parts.tokens().storeToken(token, name, segment.getSegmentId()));
            stored(token);
        }
    }

    /**
     * Handles events and moves the token. Events behind a parked one are parked as well.
     *
     * @return the members that have parked an event because it has failed
     */
    private Set<String> handle(SegmentBatch batch) throws Exception {
        Map<ProcessorMember, ParkedSequences> together = new LinkedHashMap<>();
        List<ParkedSequences> apart = new ArrayList<>();
        for (ParkedSequences parked : following) {
            parked.readBefore(batch.events());
            if (backoff.isApart(parked.member())) {
                apart.add(parked);
            } else {
                together.put(parked.member(), parked);
            }
        }
        BiPredicate<ProcessorMember, TrackedEventMessage<?>> isFor = (member, event) -> {
            ParkedSequences parked = together.get(member);
            return parked != null && member.wants(event, segment) && !parked.holdsBack(event);
        };
        List<TrackedEventMessage<?>> free = new ArrayList<>(batch.events());
        free.removeIf(event -> together.keySet().stream().noneMatch(member -> isFor.test(member, event)));
        Set<String> failing = new HashSet<>();
        processor.handle(
                free,
                segment,
                isFor,
                afterwards -> {
                    for (ParkedSequences parked : apart) {
                        if (parked.handleApart(batch.events(), afterwards)) {
                            failing.add(parked.member().name());
                        }
                    }
                },
                () -> {
                    together.values().forEach(parked -> parked.parkBehind(batch.events()));
                    parts.tokens().storeToken(batch.upTo(), name, segment.getSegmentId());
                });
        stored(batch.upTo());
        advanceTo(batch.upTo());
        return failing;
    }

    private void advanceTo(@Nullable TrackingToken upTo) {
        token = upTo;
        tellPosition();
        processor.status(parts, status -> healthOf(status.advancedTo(upTo)));
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
