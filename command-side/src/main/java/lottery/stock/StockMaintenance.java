package lottery.stock;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/** Maintains the stocks at intervals, in each process that takes units. */
@Component
class StockMaintenance implements SmartLifecycle {

    private static final Logger LOG = LoggerFactory.getLogger(StockMaintenance.class);

    private static final Duration BETWEEN_SETTLINGS = Duration.ofMillis(50);
    private static final Duration BETWEEN_PROBES = Duration.ofSeconds(1);
    private static final Duration BETWEEN_EXPIRIES = Duration.ofSeconds(10);
    private static final Duration STOP_MAX = Duration.ofSeconds(2);

    /** There are two threads, so that a long run of the expiry does not delay the other tasks. */
    private static final int THREADS = 2;

    private final StockAllocator stocks;
    private volatile boolean running;
    private ScheduledExecutorService threads = newThreads();

    StockMaintenance(StockAllocator stocks) {
        this.stocks = stocks;
    }

    private static ScheduledExecutorService newThreads() {
        return Executors.newScheduledThreadPool(
                THREADS, Thread.ofPlatform().name("stock-", 1).daemon().factory());
    }

    private void every(Duration pause, Runnable task) {
        var _ = threads.scheduleWithFixedDelay(
                () -> {
                    try {
                        task.run();
                    } catch (RuntimeException e) {
                        LOG.warn("The maintenance of stock failed. It is tried again.", e);
                    }
                },
                0,
                pause.toMillis(),
                TimeUnit.MILLISECONDS);
    }

    @Override
    public synchronized void start() {
        if (threads.isShutdown()) {
            threads = newThreads();
        }
        every(BETWEEN_PROBES, stocks::probe);
        every(BETWEEN_SETTLINGS, stocks::confirm);
        every(BETWEEN_EXPIRIES, stocks::expire);
        running = true;
    }

    @Override
    public synchronized void stop() {
        running = false;
        threads.shutdown();
        try {
            if (!threads.awaitTermination(STOP_MAX.toMillis(), TimeUnit.MILLISECONDS)) {
                LOG.info("The maintenance of stock did not stop in time. It ends with the process.");
            }
        } catch (InterruptedException ending) {
            Thread.currentThread().interrupt();
        }
        stocks.confirm();
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    /** Returns a phase after that of the Redis client and before the first draw. */
    @Override
    public int getPhase() {
        return 1;
    }
}
