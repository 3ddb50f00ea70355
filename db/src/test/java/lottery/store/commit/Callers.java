package lottery.store.commit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import lottery.store.log.OutcomeUnknownException;

/** Many threads that commit at the same time, and the answers that they got. */
final class Callers implements AutoCloseable {

    private static final Duration ANSWER_MAX = Duration.ofSeconds(30);

    /** @param failure empty if the caller was told that all is stored */
    record CallerAnswer(CommitUnit unit, Optional<RuntimeException> failure, Duration took) {

        boolean stored() {
            return failure.isEmpty();
        }

        boolean unknown() {
            return failure.filter(OutcomeUnknownException.class::isInstance).isPresent();
        }
    }

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final List<CompletableFuture<CallerAnswer>> answers = new ArrayList<>();
    private final Committer committer;

    Callers(Committer committer) {
        this.committer = committer;
    }

    void commit(CommitUnit unit) {
        answers.add(CompletableFuture.supplyAsync(() -> ask(committer, unit), threads));
    }

    static CallerAnswer ask(Committer committer, CommitUnit unit) {
        long before = System.nanoTime();
        Optional<RuntimeException> failure = Optional.empty();
        try {
            committer.commit(unit);
        } catch (RuntimeException e) {
            failure = Optional.of(e);
        }
        return new CallerAnswer(unit, failure, Duration.ofNanos(System.nanoTime() - before));
    }

    /** Returns all answers in the order of the calls; none may be missing for ever. */
    List<CallerAnswer> answers() {
        return answers.stream().map(Callers::answer).toList();
    }

    private static CallerAnswer answer(CompletableFuture<CallerAnswer> answer) {
        assertThat(answer).as("an answer").succeedsWithin(ANSWER_MAX.toMillis(), TimeUnit.MILLISECONDS);
        return answer.join();
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
