package lottery.bench.store;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import lottery.bench.store.LatencyList.Percentiles;
import lottery.bench.store.variant.AxonVariant;
import lottery.bench.store.variant.BenchmarkConnectionFactory;

/** Measures how soon waiting readers see committed events, in this process and in another one. */
final class VisibilityProbe implements AutoCloseable {

    private static final Duration PAUSE = Duration.ofMillis(10);
    private static final Duration LAST_SEEN_MAX = Duration.ofSeconds(5);
    private static final long START_MAX_SECONDS = 10;

    private final AxonVariant store;
    private final Map<Integer, Long> seenHere = new ConcurrentHashMap<>();
    private final Map<Integer, Long> seenThere = new ConcurrentHashMap<>();
    private final AtomicBoolean closing = new AtomicBoolean();
    private final VisibilityWatcherProcessHandle there;
    private int next;

    /**
     * The time until pings were seen, measured from two moments: from the caller's answer, just after the commit, and
     * from the sending of the command. If a reader is faster than the answer, its time since the answer counts as zero.
     */
    record PingVisibility(String where, int pings, int unseen, Percentiles sinceAnswerMs, Percentiles sinceSentMs) {}

    private record SentPing(int number, long sentMicros, long answeredMicros) {}

    VisibilityProbe(AxonVariant store, BenchmarkConnectionFactory target) throws IOException, InterruptedException {
        this.store = store;
        CountDownLatch ready = new CountDownLatch(1);
        Thread.ofPlatform().daemon().name("visibility-probe").start(() -> watch(ready));
        if (!ready.await(START_MAX_SECONDS, TimeUnit.SECONDS)) {
            throw new IllegalStateException("the reader does not begin");
        }
        there = VisibilityWatcherProcessHandle.start(target, seenThere::put);
    }

    private void watch(CountDownLatch ready) {
        try {
            VisibilityWatcher.watch(store.events(), closing::get, ready::countDown, seenHere::put);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Sends one ping after the other for this time. */
    List<PingVisibility> measure(Duration time) {
        List<SentPing> pings = new ArrayList<>();
        long end = System.nanoTime() + time.toNanos();
        while (System.nanoTime() < end) {
            LockSupport.parkNanos(PAUSE.toNanos());
            int number = next++;
            long sent = VisibilityWatcher.nowMicros();
            store.ping(number);
            pings.add(new SentPing(number, sent, VisibilityWatcher.nowMicros()));
        }
        awaitSeen(pings.getLast().number());
        return List.of(seen("same process", pings, seenHere), seen("other process", pings, seenThere));
    }

    private void awaitSeen(int number) {
        long end = System.nanoTime() + LAST_SEEN_MAX.toNanos();
        while (System.nanoTime() < end && !(seenHere.containsKey(number) && seenThere.containsKey(number))) {
            LockSupport.parkNanos(PAUSE.toNanos());
        }
    }

    private static PingVisibility seen(String where, List<SentPing> pings, Map<Integer, Long> seenAt) {
        LatencyList sinceAnswer = new LatencyList();
        LatencyList sinceSent = new LatencyList();
        for (SentPing ping : pings) {
            Long at = seenAt.get(ping.number());
            if (at != null) {
                sinceAnswer.add(TimeUnit.MICROSECONDS.toNanos(Math.max(0, at - ping.answeredMicros())));
                sinceSent.add(TimeUnit.MICROSECONDS.toNanos(at - ping.sentMicros()));
            }
        }
        return new PingVisibility(
                where,
                pings.size(),
                pings.size() - sinceSent.size(),
                LatencyList.percentiles(List.of(sinceAnswer)),
                LatencyList.percentiles(List.of(sinceSent)));
    }

    @Override
    public void close() {
        closing.set(true);
        there.close();
    }
}
