package lottery.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import lottery.app.LotteryProcess.Reply;
import org.springframework.http.HttpHeaders;

/**
 * Repeats a request that is answered with 503 at the time that the answer names, as a client should. It counts such
 * answers.
 */
final class Patience {

    private static final int ATTEMPTS_MAX = 100;
    /** The most that is added to the time that was told, so that not all clients come back at once. */
    private static final Duration SPREAD = Duration.ofSeconds(1);

    private final LongAdder busy = new LongAdder();

    /** Returns the first answer that is not 503. */
    Reply ask(Supplier<Reply> question) {
        for (int attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
            Reply reply = question.get();
            if (reply.status() != 503) {
                return reply;
            }
            busy.increment();
            pause(reply);
        }
        return fail("busy for ever");
    }

    /**
     * Returns the first answer that is not 503, and requires that something was created. After a 503 it may have been
     * created already.
     */
    static Reply created(Supplier<Reply> question) {
        Patience patience = new Patience();
        Reply reply = patience.ask(question);
        assertThat(reply.status()).as(reply.text()).isIn(patience.busy() == 0 ? Set.of(201) : Set.of(200, 201));
        return reply;
    }

    /** Requires that a change succeeds, which can be made once. After a 503 it may have been made already. */
    static void changed(Supplier<Reply> question, BooleanSupplier isMade) {
        Patience patience = new Patience();
        Reply reply = patience.ask(question);
        assertThat(reply.status() == 200 || (patience.busy() > 0 && isMade.getAsBoolean()))
                .as(reply.text())
                .isTrue();
    }

    private static void pause(Reply busy) {
        String seconds = busy.headers().getFirst(HttpHeaders.RETRY_AFTER);
        assertThat(seconds).as(busy.text()).isNotNull();
        Duration told = Duration.ofSeconds(Long.parseLong(seconds));
        LockSupport.parkNanos(told.toNanos() + ThreadLocalRandom.current().nextLong(SPREAD.toNanos()));
    }

    long busy() {
        return busy.sum();
    }
}
