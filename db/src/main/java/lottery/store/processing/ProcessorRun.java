package lottery.store.processing;

import static java.util.Objects.requireNonNullElse;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.axonframework.eventhandling.Segment;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One run of a processor in one log, from a start to the next stop. It claims the processor's segment of this log when
 * it is free, starts a worker for it, and extends the claim.
 */
final class ProcessorRun {

    /** How many segments a processor has in each log. */
    static final int SEGMENTS = 1;

    static final Duration STOP_MAX = Duration.ofSeconds(15);

    private static final Logger log = LoggerFactory.getLogger(ProcessorRun.class);

    /** How often this process extends its claim, or looks for a segment to claim while it has none. */
    private static final Duration CLAIM_PAUSE = Duration.ofSeconds(1);

    private final BatchEventProcessor processor;
    private final ProcessorDependencies parts;
    private final String name;
    private final ConcurrentMap<Integer, SegmentWorker> workers;
    private final CountDownLatch stopping = new CountDownLatch(1);
    private final CompletableFuture<Void> ended = new CompletableFuture<>();

    private ProcessorRun(
            BatchEventProcessor processor, ProcessorDependencies parts, ConcurrentMap<Integer, SegmentWorker> workers) {
        this.processor = processor;
        this.parts = parts;
        this.name = processor.getName();
        this.workers = workers;
    }

    /** @param workers the workers of all runs, by the number of the log */
    static ProcessorRun start(
            BatchEventProcessor processor, ProcessorDependencies parts, ConcurrentMap<Integer, SegmentWorker> workers) {
        ProcessorRun run = new ProcessorRun(processor, parts, workers);
        Thread.ofVirtual().name(run.name).start(() -> parts.place().run(run::supervise));
        return run;
    }

    /** Returns at once; the future completes when all workers have ended. */
    CompletableFuture<Void> stop() {
        stopping.countDown();
        return ended;
    }

    boolean goesOn() {
        return stopping.getCount() > 0;
    }

    /** Pauses, but returns earlier if the processor is stopped. */
    void pause(Duration pause) throws InterruptedException {
        var _ = stopping.await(pause.toNanos(), TimeUnit.NANOSECONDS);
    }

    private void supervise() {
        try {
            while (goesOn()) {
                try {
                    keepClaim();
                    if (!workers.containsKey(parts.number())) {
                        claimSegment();
                    }
                } catch (RuntimeException | Error e) {
                    log.warn("The processor {} cannot claim its segment: {}. It tries again.", name, e.toString());
                }
                pause(CLAIM_PAUSE);
            }
            awaitWorkers();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            ended.completeExceptionally(e);
        } catch (RuntimeException e) {
            ended.completeExceptionally(e);
        }
    }

    private void awaitWorkers() throws InterruptedException {
        SegmentWorker worker = workers.get(parts.number());
        if (worker != null && !worker.awaitEnd(STOP_MAX)) {
            throw new IllegalStateException("the processor %s has a handler that does not end".formatted(name));
        }
        ended.complete(null);
    }

    /** Extends the claim of the worker, because a batch may take longer than a claim lasts. */
    private void keepClaim() {
        SegmentWorker worker = workers.get(parts.number());
        if (worker != null) {
            worker.keepClaim();
        }
    }

    private void claimSegment() {
        List<Segment> free = parts.transactions().fetchInTransaction(() -> {
            if (parts.tokens().fetchSegments(name).length == 0) {
                parts.tokens()
                        .initializeTokenSegments(name, SEGMENTS, parts.start().apply(parts.log()));
            }
            return parts.tokens().fetchAvailableSegments(name);
        });
        for (Segment segment : requireNonNullElse(free, List.<Segment>of())) {
            workers.computeIfAbsent(parts.number(), _ -> begin(segment));
        }
    }

    private SegmentWorker begin(Segment segment) {
        SegmentWorker worker = new SegmentWorker(processor, this, parts, segment);
        Thread.ofPlatform().daemon().name(name + "/" + parts.number()).start(() -> {
            try {
                parts.place().run(worker::work);
            } finally {
                processor.leaves(parts);
                workers.remove(parts.number(), worker);
                worker.ends();
            }
        });
        return worker;
    }
}
