package lottery.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import lottery.api.RefusedException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Callers that ask the same at the same time")
class SingleFlightTest {

    private static final Duration SOON = Duration.ofSeconds(10);

    private static final Duration LIMIT = Duration.ofSeconds(6);

    /** A question without parameters. */
    private record FindNumber() implements Query<Integer> {}

    private final SingleFlight together = new SingleFlight("test", LIMIT, this::limit);
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    /** The queries in their order; each has the position that it was asked for. */
    private final List<CompletableFuture<Integer>> questions = new CopyOnWriteArrayList<>();

    private final List<Long> positions = new CopyOnWriteArrayList<>();

    /** The queries whose time limit has begun, in their order. Each limit passes when the test says so. */
    private final List<CompletableFuture<?>> limited = new CopyOnWriteArrayList<>();

    @AfterEach
    void close() {
        together.close();
        threads.shutdownNow();
    }

    private void limit(CompletableFuture<?> query, Duration max) {
        assertThat(max).isEqualTo(LIMIT);
        limited.add(query);
    }

    private void awaitLimited(int times) {
        await().atMost(SOON).until(() -> limited.size() == times);
    }

    /** Fails a query as its timer does. A query that was answered keeps its answer. */
    private static void limitPasses(CompletableFuture<?> query) {
        query.completeExceptionally(new TimeoutException());
    }

    private Future<Integer> asks(long asOf) {
        return threads.submit(() -> RequiredPositionHolder.at(
                asOf,
                () -> together.ask(new FindNumber(), _ -> {
                    CompletableFuture<Integer> question = new CompletableFuture<>();
                    positions.add(RequiredPositionHolder.position());
                    questions.add(question);
                    return question.join();
                })));
    }

    private void awaitAsked(int times) {
        await().atMost(SOON).until(() -> questions.size() == times);
    }

    private void awaitJoined(int times) {
        await().atMost(SOON).until(() -> together.joined() == times);
    }

    private static int answer(Future<Integer> asked) throws Exception {
        return asked.get(SOON.toSeconds(), TimeUnit.SECONDS);
    }

    @Test
    @DisplayName("They get the same answer, and later callers get another one.")
    void same() throws Exception {
        Future<Integer> first = asks(0);
        awaitAsked(1);
        Future<Integer> second = asks(0);
        awaitJoined(1);
        questions.getFirst().complete(7);
        assertThat(List.of(answer(first), answer(second))).containsOnly(7);

        Future<Integer> later = asks(0);
        awaitAsked(2);
        questions.getLast().complete(8);
        assertThat(answer(later)).isEqualTo(8);
    }

    @Test
    @DisplayName("Callers that have waited for a position get the next answer, read at the highest of their positions.")
    void next() throws Exception {
        Future<Integer> first = asks(0);
        awaitAsked(1);
        Future<Integer> fourth = asks(4);
        Future<Integer> ninth = asks(9);
        Future<Integer> second = asks(2);
        // All joined but the one that started the query.
        awaitJoined(2);
        assertThat(questions).hasSize(1);

        questions.getFirst().complete(7);
        awaitAsked(2);
        Future<Integer> whoever = asks(0);
        awaitJoined(3);
        questions.getLast().complete(8);

        assertThat(answer(first)).isEqualTo(7);
        assertThat(List.of(answer(fourth), answer(ninth), answer(second), answer(whoever)))
                .containsOnly(8);
        assertThat(positions).containsExactly(0L, 9L);
    }

    @Test
    @DisplayName("They get the failure of the query, and the next query is still sent.")
    void failed() throws Exception {
        Future<Integer> first = asks(0);
        awaitAsked(1);
        Future<Integer> second = asks(1);
        Future<Integer> third = asks(1);
        awaitJoined(1);
        questions.getFirst().completeExceptionally(new IllegalArgumentException("on purpose"));
        awaitAsked(2);
        questions.getLast().complete(8);

        assertThatThrownBy(() -> answer(first))
                .isInstanceOf(ExecutionException.class)
                .hasCauseExactlyInstanceOf(IllegalArgumentException.class);
        assertThat(List.of(answer(second), answer(third))).containsOnly(8);
    }

    @Test
    @DisplayName("The next query has the full time limit, and not only the rest of the first one's.")
    void slow() throws Exception {
        Future<Integer> first = asks(0);
        awaitAsked(1);
        Future<Integer> second = asks(1);
        Future<Integer> third = asks(1);
        awaitJoined(1);
        // A caller waits longer than the limit of one query.
        await().pollDelay(LIMIT.plusSeconds(1)).atMost(LIMIT.multipliedBy(2)).until(() -> !second.isDone());
        assertThat(limited).hasSize(1);
        questions.getFirst().complete(7);
        awaitAsked(2);
        awaitLimited(2);
        limitPasses(limited.getFirst());
        questions.getLast().complete(8);

        assertThat(answer(first)).isEqualTo(7);
        assertThat(List.of(answer(second), answer(third))).containsOnly(8);
        assertThat(questions).hasSize(2);
    }

    @Test
    @DisplayName("They are refused after the time limit, and nobody else waits for that query.")
    void givenUp() throws Exception {
        Future<Integer> first = asks(0);
        awaitAsked(1);
        awaitLimited(1);
        Future<Integer> second = asks(1);
        Future<Integer> third = asks(1);
        awaitJoined(1);
        limitPasses(limited.getFirst());

        awaitAsked(2);
        questions.getLast().complete(8);

        assertThat(List.of(answer(second), answer(third))).containsOnly(8);
        assertThatThrownBy(() -> answer(first)).hasCauseInstanceOf(RefusedException.class);
        questions.getFirst().complete(7);
        Future<Integer> later = asks(0);
        awaitAsked(3);
        questions.getLast().complete(9);
        assertThat(answer(later)).isEqualTo(9);
    }

    @Test
    @DisplayName("The time limit passes by itself, and the next caller starts a new query.")
    void byItself() {
        AtomicInteger asked = new AtomicInteger();
        try (SingleFlight hasty = new SingleFlight("hasty", Duration.ofMillis(200))) {
            await().atMost(SOON).until(() -> {
                assertThatThrownBy(() -> hasty.ask(new FindNumber(), _ -> {
                            asked.incrementAndGet();
                            return new CompletableFuture<Integer>().join();
                        }))
                        .isInstanceOf(RefusedException.class);
                return asked.get() == 2;
            });
        }
    }
}
