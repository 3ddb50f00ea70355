package lottery.journey.letter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayName("Hands")
@Timeout(20)
class HandsTest {

    private static final int AT_ONCE_MAX = 3;

    private final Hands hands = new Hands("hand", AT_ONCE_MAX);
    private final CountDownLatch gate = new CountDownLatch(1);
    private final AtomicInteger begun = new AtomicInteger();

    @AfterEach
    void close() {
        hands.close();
    }

    private CompletableFuture<?> begin() {
        return hands.begin("letter", null, letter -> {
            begun.incrementAndGet();
            assertThat(gate.await(10, TimeUnit.SECONDS)).isTrue();
        });
    }

    private List<? extends CompletableFuture<?>> begin(int count) {
        return Stream.generate(this::begin).limit(count).toList();
    }

    private static void awaitDone(CompletableFuture<?> work) throws Exception {
        work.get(5, TimeUnit.SECONDS);
    }

    @Test
    @DisplayName("do so much at once and no more, and the rest in turn")
    void bounded() throws Exception {
        List<? extends CompletableFuture<?>> all = begin(10);
        await().until(() -> begun.get() == AT_ONCE_MAX);
        await().during(200, TimeUnit.MILLISECONDS).until(() -> begun.get() == AT_ONCE_MAX);
        gate.countDown();
        for (CompletableFuture<?> each : all) {
            awaitDone(each);
        }
        assertThat(begun).hasValue(10);
    }

    @Test
    @DisplayName("tell what failed, and are free again")
    void failed() throws Exception {
        gate.countDown();
        for (int i = 0; i < 2 * AT_ONCE_MAX; i++) {
            CompletableFuture<?> failing = hands.begin("letter", null, letter -> {
                throw new TimeoutException("away");
            });
            assertThatThrownBy(() -> awaitDone(failing))
                    .isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(TimeoutException.class);
        }
        awaitDone(begin());
    }

    @Test
    @DisplayName("do not begin what was taken back")
    void takenBack() throws Exception {
        begin(AT_ONCE_MAX);
        await().until(() -> begun.get() == AT_ONCE_MAX);
        CompletableFuture<?> unwanted = begin();
        CompletableFuture<?> wanted = begin();
        unwanted.cancel(false);
        gate.countDown();
        awaitDone(wanted);
        assertThat(begun).hasValue(AT_ONCE_MAX + 1);
    }

    @Test
    @DisplayName("leave nobody waiting when they are closed")
    void closed() {
        List<? extends CompletableFuture<?>> all = begin(2 * AT_ONCE_MAX);
        await().until(() -> begun.get() == AT_ONCE_MAX);
        hands.close();
        all.forEach(each -> assertThatThrownBy(() -> awaitDone(each)).hasCauseInstanceOf(InterruptedException.class));
    }
}
