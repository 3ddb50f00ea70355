package lottery.messaging;

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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.kafka.listener.BatchListenerFailedException;

@DisplayName("A batch of messages")
@Timeout(20)
class KeyedBatchProcessorTest {

    private static final Duration MAX = Duration.ofSeconds(10);

    private final List<Long> begun = Collections.synchronizedList(new ArrayList<>());
    private final ConcurrentMap<Long, CompletableFuture<String>> handled = new ConcurrentHashMap<>();
    private final List<KeyedBatchProcessor> processors = new ArrayList<>();

    /** Whether a handler accepts a whole batch. */
    private boolean together;

    /** Whether a handler that does not accept a whole batch fails with an error instead of an exception. */
    private boolean isError;

    @AfterEach
    void close() {
        processors.forEach(KeyedBatchProcessor::close);
    }

    private static List<ConsumerRecord<String, byte[]>> messages(@Nullable String... keys) {
        List<ConsumerRecord<String, byte[]>> messages = new ArrayList<>();
        Arrays.stream(keys)
                .forEach(key -> messages.add(new ConsumerRecord<>("topic", 0, messages.size(), key, new byte[0])));
        return messages;
    }

    private CompletableFuture<String> handled(long offset) {
        return handled.computeIfAbsent(offset, _ -> new CompletableFuture<>());
    }

    private void handle(List<ConsumerRecord<String, byte[]>> messages) {
        if (messages.size() > 1 && !together) {
            if (isError) {
                throw new NoClassDefFoundError("a class is gone");
            }
            throw new IllegalStateException("not together");
        }
        for (ConsumerRecord<String, byte[]> message : messages) {
            begun.add(message.offset());
            handled(message.offset()).orTimeout(10, TimeUnit.SECONDS).join();
        }
    }

    private FutureTask<Boolean> handle(List<ConsumerRecord<String, byte[]>> messages, Duration max) {
        return handle(messages, max, 10);
    }

    private FutureTask<Boolean> handle(List<ConsumerRecord<String, byte[]>> messages, Duration max, int parallelMax) {
        KeyedBatchProcessor processor =
                new KeyedBatchProcessor("test", parallelMax, UncheckedIOException.class::isInstance, max);
        processors.add(processor);
        FutureTask<Boolean> task = new FutureTask<>(() -> {
            processor.process(messages, this::handle);
            return true;
        });
        Thread.startVirtualThread(task);
        return task;
    }

    private void fail(long offset, Exception failure) {
        handled(offset).completeExceptionally(failure);
    }

    private void end(long offset) {
        handled(offset).complete("done");
    }

    @Test
    @DisplayName("Messages are handled in parallel, and those of one key one after the other.")
    void order() throws Exception {
        FutureTask<Boolean> batch = handle(messages("ann", "bob", "ann", null, "ann", null), MAX);
        await().untilAsserted(() -> assertThat(begun).containsExactlyInAnyOrder(0L, 1L, 3L));
        end(0);
        await().untilAsserted(() -> assertThat(begun).containsExactlyInAnyOrder(0L, 1L, 3L, 2L));
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
    @DisplayName("Messages are handled one by one if their batch fails with an error.")
    void error() throws Exception {
        isError = true;
        end(0);
        end(1);
        assertThat(handle(messages("ann", "bob"), MAX).get(5, TimeUnit.SECONDS)).isTrue();
        assertThat(begun).containsExactlyInAnyOrder(0L, 1L);
    }

    @Test
    @DisplayName("A batch fails with its first failed message, and no later message of that key was handled.")
    void failed() {
        FutureTask<Boolean> batch = handle(messages("ann", "bob", "ann", "cid", "bob"), MAX);
        await().untilAsserted(() -> assertThat(begun).containsExactlyInAnyOrder(0L, 1L, 3L));
        fail(3, new UnreadableMessageException("rubbish"));
        fail(1, new IllegalStateException("away"));
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
        assertThat(begun).contains(0L, 1L, 3L).doesNotContain(4L);
    }

    @Test
    @DisplayName("After a failure no further call begins, and those that wait for their turn are cancelled.")
    void over() {
        FutureTask<Boolean> batch = handle(messages("ann", "bob", "bob"), MAX);
        await().untilAsserted(() -> assertThat(begun).containsExactlyInAnyOrder(0L, 1L));
        fail(0, new IllegalStateException("away"));
        assertThatThrownBy(() -> batch.get(5, TimeUnit.SECONDS)).isInstanceOf(ExecutionException.class);
        end(1);
        end(2);
        await().during(200, TimeUnit.MILLISECONDS).until(() -> begun.size() == 2);
        assertThat(begun).containsExactlyInAnyOrder(0L, 1L);
    }

    @Test
    @DisplayName("A batch is given up after its time limit, with the first message that is not handled.")
    void late() {
        end(0);
        FutureTask<Boolean> batch = handle(messages("ann", "bob"), Duration.ofSeconds(2));
        assertThatThrownBy(() -> batch.get(10, TimeUnit.SECONDS))
                .cause()
                .isInstanceOfSatisfying(
                        BatchListenerFailedException.class,
                        failure -> assertThat(failure.getIndex()).isEqualTo(1));
    }

    @Test
    @DisplayName("A batch is one call if that succeeds, on its caller's thread.")
    void together() throws Exception {
        together = true;
        FutureTask<Boolean> batch = handle(messages("ann", "bob", "ann"), MAX);
        for (long offset = 0; offset < 3; offset++) {
            end(offset);
        }
        assertThat(batch.get(5, TimeUnit.SECONDS)).isTrue();
        assertThat(begun).containsExactly(0L, 1L, 2L);
    }

    @Test
    @DisplayName("The number of calls at once is limited, and the rest follows in turn.")
    void bounded() throws Exception {
        FutureTask<Boolean> batch = handle(messages("a", "b", "c", "d", "e"), MAX, 3);
        await().until(() -> begun.size() == 3);
        await().during(200, TimeUnit.MILLISECONDS).until(() -> begun.size() == 3);
        for (long offset = 0; offset < 5; offset++) {
            end(offset);
        }
        assertThat(batch.get(5, TimeUnit.SECONDS)).isTrue();
        assertThat(begun).hasSize(5);
    }

    @Test
    @DisplayName("Calls that wait for a thread do not begin after a failure, and the next batch is handled.")
    void takenBack() throws Exception {
        List<ConsumerRecord<String, byte[]>> all = messages("a", "b", "c", "next");
        FutureTask<Boolean> batch = handle(all.subList(0, 3), MAX, 1);
        await().until(() -> begun.size() == 1);
        fail(0, new IllegalStateException("away"));
        assertThatThrownBy(() -> batch.get(5, TimeUnit.SECONDS)).isInstanceOf(ExecutionException.class);
        // The second call may have found the thread free before the batch was over; the third one has not.
        end(1);
        end(2);
        end(3);
        processors.getFirst().process(all.subList(3, 4), this::handle);
        assertThat(begun).contains(0L, 3L).doesNotContain(2L);
    }

    @Test
    @DisplayName("When the processor is closed nobody waits any more, not even for a call without a thread.")
    void closed() {
        List<ConsumerRecord<String, byte[]>> all = messages("a", "b");
        FutureTask<Boolean> first = handle(all.subList(0, 1), MAX, 1);
        await().until(() -> begun.size() == 1);
        FutureTask<Boolean> second = new FutureTask<>(() -> {
            processors.getFirst().process(all.subList(1, 2), this::handle);
            return true;
        });
        Thread waiting = Thread.startVirtualThread(second);
        await().until(() -> waiting.getState() == Thread.State.TIMED_WAITING);
        processors.getFirst().close();
        for (FutureTask<Boolean> each : List.of(first, second)) {
            assertThatThrownBy(() -> each.get(5, TimeUnit.SECONDS))
                    .isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(BatchListenerFailedException.class);
        }
        assertThat(begun).containsExactly(0L);
    }

    @ParameterizedTest
    @MethodSource
    @DisplayName("The class of a failure tells its meaning, so that the error handler decides anew when it changes.")
    void meaning(Exception failure, Class<?> meaning) {
        FutureTask<Boolean> batch = handle(messages("ann"), MAX);
        fail(0, failure);
        assertThatThrownBy(() -> batch.get(5, TimeUnit.SECONDS)).cause().isInstanceOf(meaning);
    }

    private static Stream<Arguments> meaning() {
        return Stream.of(
                arguments(
                        new UncheckedIOException(new IOException("away")),
                        KeyedBatchProcessor.RecordOutageException.class),
                arguments(new UnreadableMessageException("rubbish"), KeyedBatchProcessor.RecordUnusableException.class),
                arguments(new IllegalStateException("a bug"), KeyedBatchProcessor.RecordFailedException.class));
    }
}
