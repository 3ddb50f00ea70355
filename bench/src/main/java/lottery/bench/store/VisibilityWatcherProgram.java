package lottery.bench.store;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import lottery.bench.store.variant.BenchmarkConnectionFactory;
import lottery.bench.store.variant.LotteryEventStoreVariantStarter;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * Runs the same store in another process, and prints each ping with the time when it sees it. It ends at the end of its
 * input.
 */
public final class VisibilityWatcherProgram {

    static final String PASSWORD = "LOTTERY_POSTGRES_PASSWORD";
    static final String READY = "ready";

    private VisibilityWatcherProgram() {}

    public static void main(String[] arguments) throws InterruptedException {
        AtomicBoolean left = new AtomicBoolean();
        Thread.ofPlatform().daemon().start(() -> awaitEnd(left));
        BenchmarkConnectionFactory target = new BenchmarkConnectionFactory(
                arguments[0], arguments[1], System.getenv().getOrDefault(PASSWORD, ""));
        try (ConfigurableApplicationContext context = LotteryEventStoreVariantStarter.context(target, false)) {
            VisibilityWatcher.watch(
                    context.getBean(EventStore.class),
                    left::get,
                    () -> say(READY),
                    (number, atMicros) -> say(number + " " + atMicros));
        }
    }

    private static void awaitEnd(AtomicBoolean left) {
        try {
            while (System.in.read() >= 0) {
                // The input has no content. The process only waits for its end.
            }
        } catch (IOException gone) {
            // A broken input counts as its end, too.
        }
        left.set(true);
    }

    private static void say(String line) {
        System.out.println(line);
        System.out.flush();
    }
}
