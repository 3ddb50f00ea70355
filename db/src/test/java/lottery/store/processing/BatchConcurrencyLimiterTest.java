package lottery.store.processing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Processors that take turns")
class BatchConcurrencyLimiterTest {

    private static final int AT_ONCE_MAX = 2;
    private static final Duration SOON = Duration.ofMillis(10);
    private static final Duration NEVER = Duration.ofMinutes(5);

    private final ExecutorService threads = Executors.newCachedThreadPool();

    @AfterEach
    void stop() {
        threads.shutdownNow();
    }

    private CompletableFuture<Void> begin(BatchConcurrencyLimiter turns, BatchConcurrencyLimiter.BatchTask work) {
        return CompletableFuture.runAsync(() -> takeUnchecked(turns, work), threads);
    }

    private static void takeUnchecked(BatchConcurrencyLimiter turns, BatchConcurrencyLimiter.BatchTask work) {
        try {
            turns.take(work);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    @DisplayName("never exceed the limit, also after one has failed")
    void fewAtOnce() throws Exception {
        BatchConcurrencyLimiter turns = new BatchConcurrencyLimiter(AT_ONCE_MAX, 1, NEVER, NEVER);
        assertThatThrownBy(() -> turns.take(() -> {
                    throw new IllegalStateException("no database");
                }))
                .hasMessage("no database");
        AtomicInteger now = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        CompletableFuture<?>[] all = new CompletableFuture<?>[12];
        for (int i = 0; i < all.length; i++) {
            all[i] = begin(turns, () -> {
                most.accumulateAndGet(now.incrementAndGet(), Math::max);
                // Another one could begin meanwhile.
                new CountDownLatch(1).await(5, TimeUnit.MILLISECONDS);
                now.decrementAndGet();
            });
        }
        CompletableFuture.allOf(all).get(20, TimeUnit.SECONDS);
        assertThat(most).hasValue(AT_ONCE_MAX);
    }

    @Test
    @DisplayName("go ahead after a while if those before them do not end")
    void stuck() throws Exception {
        BatchConcurrencyLimiter turns = new BatchConcurrencyLimiter(AT_ONCE_MAX, 1, Duration.ofMillis(200), NEVER);
        CountDownLatch brokerIsBack = new CountDownLatch(1);
        CompletableFuture<Void> first = beginAndStay(turns, brokerIsBack);
        CompletableFuture<Void> second = beginAndStay(turns, brokerIsBack);

        begin(turns, () -> {}).get(10, TimeUnit.SECONDS);

        assertThat(first).isNotDone();
        assertThat(second).isNotDone();
        brokerIsBack.countDown();
        CompletableFuture.allOf(first, second).get(10, TimeUnit.SECONDS);
    }

    @Test
    @DisplayName("leave connections to others, even if all of them take long")
    void fewWithoutTurn() throws Exception {
        BatchConcurrencyLimiter turns = new BatchConcurrencyLimiter(AT_ONCE_MAX, 1, SOON, NEVER);
        CountDownLatch goOn = new CountDownLatch(1);
        AtomicInteger now = new AtomicInteger();
        CompletableFuture<?>[] all = new CompletableFuture<?>[12];
        for (int i = 0; i < all.length; i++) {
            all[i] = begin(turns, () -> {
                now.incrementAndGet();
                goOn.await(20, TimeUnit.SECONDS);
            });
        }
        await().atMost(Duration.ofSeconds(10)).until(() -> now.get() == AT_ONCE_MAX + 1);
        await().during(Duration.ofMillis(200)).until(() -> now.get() == AT_ONCE_MAX + 1);
        goOn.countDown();
        CompletableFuture.allOf(all).get(20, TimeUnit.SECONDS);
    }

    @Test
    @DisplayName("go ahead in any case in the end")
    void allInTheEnd() throws Exception {
        BatchConcurrencyLimiter turns = new BatchConcurrencyLimiter(AT_ONCE_MAX, 1, SOON, Duration.ofMillis(50));
        CountDownLatch allAtOnce = new CountDownLatch(12);
        CompletableFuture<?>[] all = new CompletableFuture<?>[12];
        for (int i = 0; i < all.length; i++) {
            all[i] = begin(turns, () -> {
                allAtOnce.countDown();
                assertThat(allAtOnce.await(20, TimeUnit.SECONDS)).isTrue();
            });
        }
        CompletableFuture.allOf(all).get(20, TimeUnit.SECONDS);
    }

    @Test
    @DisplayName("begin as soon as another one with a turn ends, while still others take long")
    void turnBecomesFree() throws Exception {
        beginsAfterEnd(0);
    }

    @Test
    @DisplayName("begin as soon as another one without a turn ends, while still others take long")
    void placeBecomesFree() throws Exception {
        beginsAfterEnd(1);
    }

    /**
     * Lets one of two batches end, of which the first has the only turn, and awaits that a third one begins and ends.
     */
    private void beginsAfterEnd(int ending) throws Exception {
        BatchConcurrencyLimiter turns = new BatchConcurrencyLimiter(1, 1, SOON, NEVER);
        List<CountDownLatch> mayEnd = List.of(new CountDownLatch(1), new CountDownLatch(1));
        List<CompletableFuture<Void>> staying = new ArrayList<>();
        for (CountDownLatch each : mayEnd) {
            staying.add(beginAndStay(turns, each));
        }
        CompletableFuture<Void> waiting = begin(turns, () -> {});
        await().during(Duration.ofMillis(200)).until(() -> !waiting.isDone());

        mayEnd.get(ending).countDown();

        waiting.get(10, TimeUnit.SECONDS);
        staying.get(ending).get(10, TimeUnit.SECONDS);
        CompletableFuture<Void> other = staying.get(1 - ending);
        assertThat(other).isNotDone();
        mayEnd.get(1 - ending).countDown();
        other.get(10, TimeUnit.SECONDS);
    }

    @Test
    @DisplayName("begin in the order in which they came, also if one begins its next batch at once")
    void inOrder() throws Exception {
        BatchConcurrencyLimiter turns = new BatchConcurrencyLimiter(1, 0, SOON, NEVER);
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        List<Integer> order = new CopyOnWriteArrayList<>();
        CompletableFuture<Void> busy = CompletableFuture.runAsync(
                () -> {
                    takeUnchecked(turns, () -> {
                        begun.countDown();
                        mayEnd.await();
                    });
                    takeUnchecked(turns, () -> order.add(8));
                },
                threads);
        assertThat(begun.await(10, TimeUnit.SECONDS)).isTrue();
        for (int i = 0; i < 8; i++) {
            int number = i;
            Thread thread = Thread.ofPlatform().daemon().start(() -> takeUnchecked(turns, () -> order.add(number)));
            await().atMost(Duration.ofSeconds(10)).until(() -> thread.getState() == Thread.State.TIMED_WAITING);
        }
        mayEnd.countDown();
        busy.get(10, TimeUnit.SECONDS);
        assertThat(order).containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8);
    }

    /** Begins a batch that lasts until it may end, and returns as soon as the batch has begun. */
    private CompletableFuture<Void> beginAndStay(BatchConcurrencyLimiter turns, CountDownLatch mayEnd)
            throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        CompletableFuture<Void> batch = begin(turns, () -> {
            begun.countDown();
            assertThat(mayEnd.await(30, TimeUnit.SECONDS)).isTrue();
        });
        assertThat(begun.await(10, TimeUnit.SECONDS)).isTrue();
        return batch;
    }
}
