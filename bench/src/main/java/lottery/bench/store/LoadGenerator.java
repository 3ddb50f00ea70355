package lottery.bench.store;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.IntConsumer;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;
import lottery.bench.store.LatencyList.Percentiles;
import org.jspecify.annotations.Nullable;

/** Runs calls on several callers. Each caller is a virtual thread. */
final class LoadGenerator {

    private static final Duration END_MAX = Duration.ofMinutes(1);

    private final AtomicReference<@Nullable RuntimeException> failure = new AtomicReference<>();

    private LoadGenerator() {}

    /** The result: the number of calls, the total time, and the latencies. */
    record LoadOutcome(long calls, double seconds, Percentiles latency) {

        double perSecond() {
            return calls / seconds;
        }
    }

    /** Runs calls on this number of callers. Each caller calls again as soon as its call returns. */
    static LoadOutcome closed(int callers, Duration time, Runnable call) {
        return new LoadGenerator().inClosedLoop(callers, time, call);
    }

    /**
     * Starts calls at a fixed rate, even if earlier calls have not returned. The latency of each call is measured from
     * its due time.
     */
    static LoadOutcome open(double perSecond, Duration time, BooleanSupplier more, Runnable call) {
        return new LoadGenerator().inOpenLoop(perSecond, time, more, call);
    }

    /** Runs one call for each number below {@code end}, on several callers. */
    static void each(int end, int callers, IntConsumer call) {
        AtomicInteger next = new AtomicInteger();
        new LoadGenerator().together(callers, caller -> {
            for (int i = next.getAndIncrement(); i < end; i = next.getAndIncrement()) {
                call.accept(i);
            }
        });
    }

    private LoadOutcome inClosedLoop(int callers, Duration time, Runnable call) {
        List<LatencyList> latencies =
                IntStream.range(0, callers).mapToObj(i -> new LatencyList()).toList();
        long start = System.nanoTime();
        long end = start + time.toNanos();
        together(callers, caller -> repeat(end, call, latencies.get((int) caller)));
        double seconds = (System.nanoTime() - start) / 1e9;
        long calls = latencies.stream().mapToLong(LatencyList::size).sum();
        return new LoadOutcome(calls, seconds, LatencyList.percentiles(latencies));
    }

    private void repeat(long end, Runnable call, LatencyList latencies) {
        for (long before = System.nanoTime(); before < end && failure.get() == null; ) {
            call.run();
            long after = System.nanoTime();
            latencies.add(after - before);
            before = after;
        }
    }

    private void together(int callers, LongConsumer work) {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < callers; i++) {
            int caller = i;
            threads.add(Thread.startVirtualThread(() -> guarded(() -> work.accept(caller))));
        }
        awaitEnd(threads);
    }

    private LoadOutcome inOpenLoop(double perSecond, Duration time, BooleanSupplier more, Runnable call) {
        int calls = (int) (perSecond * time.toNanos() / 1e9);
        long pause = (long) (1e9 / perSecond);
        LatencyList latencies = new LatencyList();
        Deque<Thread> threads = new ArrayDeque<>();
        long start = System.nanoTime();
        for (int i = 0; i < calls && more.getAsBoolean(); i++) {
            long due = start + i * pause;
            waitUntil(due);
            forgetEnded(threads);
            threads.add(Thread.startVirtualThread(() -> guarded(() -> {
                call.run();
                long latency = System.nanoTime() - due;
                synchronized (latencies) {
                    latencies.add(latency);
                }
            })));
        }
        awaitEnd(threads);
        double seconds = (System.nanoTime() - start) / 1e9;
        return new LoadOutcome(latencies.size(), seconds, LatencyList.percentiles(List.of(latencies)));
    }

    /** Removes threads that have ended. If all were kept, they would cause more garbage collection than the store. */
    private static void forgetEnded(Deque<Thread> threads) {
        for (Thread oldest = threads.peek(); oldest != null && !oldest.isAlive(); oldest = threads.peek()) {
            threads.remove();
        }
    }

    private static void waitUntil(long due) {
        for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    private void guarded(Runnable work) {
        try {
            work.run();
        } catch (RuntimeException e) {
            failure.compareAndSet(null, e);
        }
    }

    private void awaitEnd(Collection<Thread> threads) {
        try {
            for (Thread thread : threads) {
                if (!thread.join(END_MAX)) {
                    throw new IllegalStateException("a caller has no answer after " + END_MAX);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
        RuntimeException first = failure.get();
        if (first != null) {
            throw new IllegalStateException("a call failed", first);
        }
    }
}
