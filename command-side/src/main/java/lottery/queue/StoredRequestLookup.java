package lottery.queue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import lottery.api.Refusal;
import lottery.api.RefusedException;
import lottery.api.raffle.RaffleOrderId;
import lottery.store.axon.HistoryReader;
import lottery.store.loop.BackgroundLoop;
import org.axonframework.eventhandling.DomainEventMessage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/**
 * Looks up whether the log already has an order or an answer for a request. Requests that come at the same time are
 * looked up with one statement, because a crowd would otherwise cause thousands of statements a second.
 */
@Component
class StoredRequestLookup implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(StoredRequestLookup.class);

    private static final int TOGETHER_MAX = 500;
    private static final int WAITING_MAX = 20_000;
    private static final Duration ANSWER_MAX = Duration.ofSeconds(3);
    private static final Duration IDLE_WAIT = Duration.ofSeconds(1);

    private record PendingLookup(RaffleOrderId id, CompletableFuture<Boolean> answer) {}

    private final HistoryReader history;
    private final BlockingQueue<PendingLookup> asked = new ArrayBlockingQueue<>(WAITING_MAX);
    private final BackgroundLoop lookups = new BackgroundLoop(
            "stored-requests",
            IDLE_WAIT,
            this::answerAll,
            "Requests for draws could not be looked up: {}. Their callers are answered NOT_READY and can try again.");

    StoredRequestLookup(HistoryReader history) {
        this.history = history;
        lookups.start();
    }

    /**
     * Returns whether there is an order, or an answer, with this id.
     *
     * @throws RefusedException if the database does not answer in time
     */
    boolean has(RaffleOrderId id) {
        PendingLookup mine = new PendingLookup(id, new CompletableFuture<>());
        try {
            if (asked.offer(mine)) {
                lookups.wake();
                return mine.answer().get(ANSWER_MAX.toMillis(), TimeUnit.MILLISECONDS);
            }
        } catch (ExecutionException | TimeoutException e) {
            LOG.warn(
                    "It is unknown whether {} is stored: {}. The caller is answered NOT_READY and can try again.",
                    id,
                    e.toString());
            throw new RefusedException(Refusal.NOT_READY, id.text());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        throw new RefusedException(Refusal.BUSY, id.text());
    }

    private void answerAll() {
        List<PendingLookup> together = new ArrayList<>();
        while (asked.drainTo(together, TOGETHER_MAX) > 0) {
            answer(together);
            together.clear();
        }
    }

    private void answer(List<PendingLookup> together) {
        try {
            Set<String> known = history
                    .eventsOf(together.stream().map(each -> each.id().text()).toList())
                    .stream()
                    .map(DomainEventMessage::getAggregateIdentifier)
                    .collect(Collectors.toSet());
            together.forEach(
                    each -> each.answer().complete(known.contains(each.id().text())));
        } catch (RuntimeException | Error e) {
            together.forEach(each -> each.answer().completeExceptionally(e));
        }
    }

    @Override
    public void close() {
        lookups.close();
    }
}
