package lottery.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import lottery.app.LotteryProcess.Reply;
import org.springframework.http.HttpHeaders;

/** Asks again whoever says that it is busy, when it says, as a client should, and counts how often that was. */
final class Patience {

    private static final int ATTEMPTS_MAX = 100;
    /** Those who are told the same moment had better not all come at it. */
    private static final Duration SPREAD = Duration.ofSeconds(1);

    private final LongAdder busy = new LongAdder();

    /** The first answer that is another one than 503. */
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
