package lottery.journey.grant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import lottery.journey.letter.Letter;
import org.axonframework.eventhandling.EventMessage;
import org.axonframework.eventhandling.GenericEventMessage;
import org.axonframework.messaging.ResultMessage;
import org.axonframework.messaging.unitofwork.BatchingUnitOfWork;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The invoices of a batch")
class InvoicesTest {

    private static final Letter LETTER =
            new Letter("topic", "key", "id", "type", "source", "subject", Instant.EPOCH, "content");

    private final Queue<CompletableFuture<?>> arrivals = new ArrayDeque<>();
    private final Invoices invoices = new Invoices(letter -> arrivals.remove(), Duration.ofMillis(200));
    private final BatchingUnitOfWork<EventMessage<?>> batch = new BatchingUnitOfWork<>(
            List.of(GenericEventMessage.asEventMessage("one"), GenericEventMessage.asEventMessage("two")));

    @Test
    @DisplayName("all leave before the first is waited for, and the batch is committed when all have arrived")
    void joinedAtTheEnd() {
        CompletableFuture<Object> first = new CompletableFuture<>();
        CompletableFuture<Object> second = new CompletableFuture<>();
        arrivals.addAll(List.of(first, second));

        ResultMessage<?> result = batch.executeWithResult(() -> {
            invoices.send(LETTER);
            if (arrivals.isEmpty()) {
                // Only now: had the first been waited for before, the second would never have left.
                first.complete("there");
                second.complete("there");
            }
            return null;
        });

        assertThat(result.isExceptional()).isFalse();
        assertThat(arrivals).isEmpty();
    }

    @Test
    @DisplayName("fail the batch when one of them fails")
    void oneFails() {
        arrivals.add(CompletableFuture.completedFuture("there"));
        arrivals.add(CompletableFuture.failedFuture(new IllegalStateException("the broker is away")));

        ResultMessage<?> result = sendBoth();

        assertThat(batch.isRolledBack()).isTrue();
        assertThatThrownBy(result::getPayload).hasRootCauseMessage("the broker is away");
    }

    @Test
    @DisplayName("fail the batch when one of them does not arrive in time")
    void oneIsLate() {
        arrivals.add(CompletableFuture.completedFuture("there"));
        arrivals.add(new CompletableFuture<>());

        ResultMessage<?> result = sendBoth();

        assertThat(batch.isRolledBack()).isTrue();
        assertThatThrownBy(result::getPayload).hasRootCauseInstanceOf(TimeoutException.class);
    }

    private ResultMessage<?> sendBoth() {
        return batch.executeWithResult(() -> {
            invoices.send(LETTER);
            return null;
        });
    }
}
