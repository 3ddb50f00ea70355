package lottery.app;

import static org.assertj.core.api.Assertions.fail;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import lottery.app.LotteryProcess.Reply;

/** Asks again whoever says that it is busy, as a client should, and counts how often that was. */
final class Patience {

    private static final int ATTEMPTS_MAX = 100;
    private static final Duration PAUSE_MAX = Duration.ofSeconds(1);

    private final LongAdder busy = new LongAdder();

    /** The first answer that is another one than 503. */
    Reply ask(Supplier<Reply> question) {
        for (int attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
            Reply reply = question.get();
            if (reply.status() != 503) {
                return reply;
            }
            busy.increment();
            LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(PAUSE_MAX.toNanos()));
        }
        return fail("busy for ever");
    }

    long busy() {
        return busy.sum();
    }
}
