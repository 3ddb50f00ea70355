package lottery.stock;

import java.time.Duration;
import java.util.List;
import lottery.store.loop.BackgroundLoop;
import lottery.store.loop.BackgroundLoop.LoopTask;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/**
 * Maintains the stocks at intervals, in each process that takes units. Each task has a loop of its own, so that a long
 * run of the expiry does not delay the other tasks.
 */
@Component
class StockMaintenance implements SmartLifecycle {

    private static final Duration BETWEEN_SETTLINGS = Duration.ofMillis(50);
    private static final Duration BETWEEN_PROBES = Duration.ofSeconds(1);
    private static final Duration BETWEEN_EXPIRIES = Duration.ofSeconds(10);
    private static final Duration STOP_MAX = Duration.ofSeconds(2);

    private final StockAllocator stocks;
    private final List<BackgroundLoop> loops;

    StockMaintenance(StockAllocator stocks) {
        this.stocks = stocks;
        this.loops = List.of(
                loop("stock-probe", BETWEEN_PROBES, stocks::probe),
                loop("stock-confirmation", BETWEEN_SETTLINGS, stocks::confirm),
                loop("stock-expiry", BETWEEN_EXPIRIES, stocks::expire));
    }

    private static BackgroundLoop loop(String name, Duration pause, LoopTask task) {
        return new BackgroundLoop(
                name, pause, task, "The task " + name + " failed: {}. Units of stock stay reserved until it succeeds.");
    }

    @Override
    public void start() {
        loops.forEach(BackgroundLoop::start);
    }

    @Override
    public void stop() {
        BackgroundLoop.stopAll(loops, STOP_MAX);
        stocks.confirm();
    }

    @Override
    public boolean isRunning() {
        return loops.stream().anyMatch(BackgroundLoop::isRunning);
    }

    /** Returns a phase after that of the Redis client and before the first draw. */
    @Override
    public int getPhase() {
        return 1;
    }
}
