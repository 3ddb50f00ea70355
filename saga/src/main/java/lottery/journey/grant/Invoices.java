package lottery.journey.grant;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import lottery.journey.letter.Letter;
import lottery.journey.letter.Post;
import org.axonframework.messaging.unitofwork.CurrentUnitOfWork;
import org.axonframework.messaging.unitofwork.UnitOfWork;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.stereotype.Component;

/**
 * The invoices of a batch of events. They leave one after another without waiting, and the batch waits for all of them
 * before it is committed. So an invoice is with the broker when the store says that its win was handled, and a batch
 * with an invoice that did not arrive is handled again as a whole.
 */
@Component
final class Invoices {

    private static final String SENT = Invoices.class.getName();

    /** A little more than what the client of the broker allows itself. */
    private static final Duration ARRIVAL_MAX = Duration.ofSeconds(9);

    private final Post post;
    private final Duration arrivalMax;

    @Autowired
    Invoices(Post post) {
        this(post, ARRIVAL_MAX);
    }

    Invoices(Post post, Duration arrivalMax) {
        this.post = post;
        this.arrivalMax = arrivalMax;
    }

    void send(Letter invoice) {
        UnitOfWork<?> batch = CurrentUnitOfWork.get().root();
        List<CompletableFuture<?>> sent = batch.getOrComputeResource(SENT, key -> {
            List<CompletableFuture<?>> all = new ArrayList<>();
            batch.onPrepareCommit(complete -> await(all));
            return all;
        });
        sent.add(post.send(invoice));
    }

    private void await(List<CompletableFuture<?>> sent) {
        try {
            CompletableFuture.allOf(sent.toArray(CompletableFuture[]::new))
                    .get(arrivalMax.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new InvoicesNotSent(sent.size() + " invoices are not all with the broker", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InvoicesNotSent("interrupted while invoices were under way", e);
        }
    }

    /** Fails the batch, so that it comes again. */
    private static final class InvoicesNotSent extends RuntimeException {

        InvoicesNotSent(String message, Throwable cause) {
            super(message, cause);
        }
    }
}
