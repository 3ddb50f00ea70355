package lottery.store.processing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
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

    private final ExecutorService threads = Executors.newCachedThreadPool();

    @AfterEach
    void stop() {
        threads.shutdownNow();
    }

    private CompletableFuture<Void> begin(BatchConcurrencyLimiter turns, BatchConcurrencyLimiter.Work work) {
        return CompletableFuture.runAsync(
                () -> {
                    try {
                        turns.take(work);
                    } catch (Exception e) {
                        throw new IllegalStateException(e);
                    }
                },
                threads);
    }

    @Test
    @DisplayName("never exceed the limit, also after one has failed")
    void fewAtOnce() throws Exception {
        BatchConcurrencyLimiter turns = new BatchConcurrencyLimiter(AT_ONCE_MAX, 1, Duration.ofMinutes(1));
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
        BatchConcurrencyLimiter turns = new BatchConcurrencyLimiter(AT_ONCE_MAX, 1, Duration.ofMillis(200));
        CountDownLatch stuck = new CountDownLatch(AT_ONCE_MAX);
        CountDownLatch brokerIsBack = new CountDownLatch(1);
        BatchConcurrencyLimiter.Work waiting = () -> {
            stuck.countDown();
            brokerIsBack.await(20, TimeUnit.SECONDS);
        };
        CompletableFuture<Void> first = begin(turns, waiting);
        CompletableFuture<Void> second = begin(turns, waiting);
        assertThat(stuck.await(10, TimeUnit.SECONDS)).isTrue();

        begin(turns, () -> {}).get(10, TimeUnit.SECONDS);

        assertThat(first).isNotDone();
        assertThat(second).isNotDone();
        brokerIsBack.countDown();
        CompletableFuture.allOf(first, second).get(10, TimeUnit.SECONDS);
    }

    @Test
    @DisplayName("leave connections to others, even if all of them take long")
    void fewWithoutTurn() throws Exception {
        BatchConcurrencyLimiter turns = new BatchConcurrencyLimiter(AT_ONCE_MAX, 1, Duration.ofMillis(10));
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
}
