package lottery.account;

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
import lottery.store.log.HistoryReader;
import org.axonframework.eventhandling.DomainEventMessage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/**
 * Looks up whether the log already has an order or an answer for a request. Requests that come at the same time are
 * looked up with one statement, because a crowd would otherwise cause thousands of statements a second.
 */
@Component
class StoredRequestLookup {

    private static final Logger LOG = LoggerFactory.getLogger(StoredRequestLookup.class);

    private static final int TOGETHER_MAX = 500;
    private static final int WAITING_MAX = 20_000;
    private static final Duration ANSWER_MAX = Duration.ofSeconds(3);
    private static final Duration IDLE_WAIT = Duration.ofSeconds(1);

    private record PendingLookup(RaffleOrderId id, CompletableFuture<Boolean> answer) {}

    private final HistoryReader history;
    private final BlockingQueue<PendingLookup> asked = new ArrayBlockingQueue<>(WAITING_MAX);

    StoredRequestLookup(HistoryReader history) {
        this.history = history;
        Thread.ofVirtual().name("known-requests").start(this::look);
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

    @SuppressWarnings("InfiniteLoopStatement") // A virtual thread ends with its process.
    private void look() {
        List<PendingLookup> together = new ArrayList<>();
        while (true) {
            try {
                PendingLookup first = asked.poll(IDLE_WAIT.toMillis(), TimeUnit.MILLISECONDS);
                if (first != null) {
                    together.add(first);
                    asked.drainTo(together, TOGETHER_MAX - 1);
                    answer(together);
                }
            } catch (InterruptedException ending) {
                return;
            } finally {
                together.clear();
            }
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
}
