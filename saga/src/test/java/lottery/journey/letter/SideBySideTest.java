package lottery.journey.letter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.kafka.listener.BatchListenerFailedException;

@DisplayName("A batch of letters")
@Timeout(20)
class SideBySideTest {

    private static final Duration MAX = Duration.ofSeconds(10);

    private final List<Long> begun = Collections.synchronizedList(new ArrayList<>());
    private final ConcurrentMap<Long, CompletableFuture<String>> handled = new ConcurrentHashMap<>();
    private final SideBySide sideBySide = new SideBySide(UncheckedIOException.class::isInstance);

    private static List<ConsumerRecord<String, byte[]>> letters(@Nullable String... keys) {
        List<ConsumerRecord<String, byte[]>> letters = new ArrayList<>();
        Arrays.stream(keys)
                .forEach(key -> letters.add(new ConsumerRecord<>("topic", 0, letters.size(), key, new byte[0])));
        return letters;
    }

    private CompletableFuture<String> begin(ConsumerRecord<String, byte[]> letter) {
        begun.add(letter.offset());
        return handled.computeIfAbsent(letter.offset(), _ -> new CompletableFuture<>());
    }

    private FutureTask<Boolean> handle(List<ConsumerRecord<String, byte[]>> letters, Duration max) {
        FutureTask<Boolean> task = new FutureTask<>(() -> {
            sideBySide.handle(letters, this::begin, max);
            return true;
        });
        Thread.startVirtualThread(task);
        return task;
    }

    private void end(long offset) {
        handled.computeIfAbsent(offset, _ -> new CompletableFuture<>()).complete("done");
    }

    @Test
    @DisplayName("is handled at the same time, those of one key one after the other")
    void order() throws Exception {
        FutureTask<Boolean> batch = handle(letters("ann", "bob", "ann", null, "ann", null), MAX);
        await().untilAsserted(() -> assertThat(begun).containsExactly(0L, 1L, 3L));
        end(0);
        await().untilAsserted(() -> assertThat(begun).containsExactly(0L, 1L, 3L, 2L));
        end(2);
        end(3);
        await().untilAsserted(() -> assertThat(begun).containsExactlyInAnyOrder(0L, 1L, 2L, 3L, 4L, 5L));
        end(1);
        end(4);
        assertThat(batch.isDone()).isFalse();
        end(5);
        assertThat(batch.get(5, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    @DisplayName(
            "fails with the first letter that failed, when those before it are handled; none of its key came after it")
    void failed() {
        FutureTask<Boolean> batch = handle(letters("ann", "bob", "ann", "cid", "bob"), MAX);
        await().untilAsserted(() -> assertThat(begun).containsExactly(0L, 1L, 3L));
        handled.getOrDefault(3L, new CompletableFuture<>()).completeExceptionally(new Unreadable("rubbish"));
        handled.getOrDefault(1L, new CompletableFuture<>()).completeExceptionally(new IllegalStateException("away"));
        assertThat(batch.isDone()).isFalse();
        end(0);
        end(2);
        assertThatThrownBy(() -> batch.get(5, TimeUnit.SECONDS))
                .isInstanceOf(ExecutionException.class)
                .cause()
                .isInstanceOfSatisfying(
                        BatchListenerFailedException.class,
                        failure -> assertThat(failure.getIndex()).isEqualTo(1))
                .hasCauseInstanceOf(IllegalStateException.class);
        assertThat(begun).containsExactlyInAnyOrder(0L, 1L, 3L, 2L);
    }

    @Test
    @DisplayName("is over when one has failed: nothing is begun any more, and what waits for its turn is taken back")
    void over() {
        FutureTask<Boolean> batch = handle(letters("ann", "bob", "bob"), MAX);
        await().untilAsserted(() -> assertThat(begun).containsExactly(0L, 1L));
        CompletableFuture<String> bobs = handled.getOrDefault(1L, new CompletableFuture<>());
        handled.getOrDefault(0L, new CompletableFuture<>()).completeExceptionally(new IllegalStateException("away"));
        assertThatThrownBy(() -> batch.get(5, TimeUnit.SECONDS)).isInstanceOf(ExecutionException.class);
        assertThat(bobs).isCancelled();
        end(2);
        assertThat(begun).containsExactly(0L, 1L);
    }

    @Test
    @DisplayName("is given up in time with the first letter that is not handled")
    void late() {
        FutureTask<Boolean> batch = handle(letters("ann", "bob"), Duration.ofMillis(200));
        end(0);
        assertThatThrownBy(() -> batch.get(5, TimeUnit.SECONDS))
                .cause()
                .isInstanceOfSatisfying(
                        BatchListenerFailedException.class,
                        failure -> assertThat(failure.getIndex()).isEqualTo(1));
    }

    @ParameterizedTest
    @MethodSource
    @DisplayName(
            "says what its failure means by the class of it: who handles failures decides anew when that is another")
    void meaning(Exception failure, Class<?> meaning) {
        FutureTask<Boolean> batch = handle(letters("ann"), MAX);
        handled.computeIfAbsent(0L, _ -> new CompletableFuture<>()).completeExceptionally(failure);
        assertThatThrownBy(() -> batch.get(5, TimeUnit.SECONDS)).cause().isInstanceOf(meaning);
    }

    private static Stream<Arguments> meaning() {
        return Stream.of(
                arguments(new UncheckedIOException(new IOException("away")), SideBySide.FailedForNow.class),
                arguments(new Unreadable("rubbish"), SideBySide.FailedForGood.class),
                arguments(new IllegalStateException("a bug"), SideBySide.Failed.class));
    }
}
