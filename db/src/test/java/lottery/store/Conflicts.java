package lottery.store;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.axonframework.commandhandling.CommandHandler;

/** Answers a command with the failures that it brings along, and then with the number of attempts that it took. */
class Conflicts {

    /**
     * @param failure the exception that is thrown
     * @param times how often it is thrown, before the command succeeds
     */
    record Fail(Supplier<? extends RuntimeException> failure, int times, AtomicInteger attempts) {

        Fail(int times, Supplier<? extends RuntimeException> failure) {
            this(failure, times, new AtomicInteger());
        }
    }

    @CommandHandler
    int handle(Fail fail) {
        int attempt = fail.attempts().incrementAndGet();
        if (attempt <= fail.times()) {
            throw fail.failure().get();
        }
        return attempt;
    }
}
