package lottery.store.saga;

import java.time.Duration;
import java.util.List;
import java.util.function.BiFunction;
import lottery.store.log.Log;
import lottery.store.log.Logs;
import lottery.store.loop.BackgroundLoop;
import org.springframework.context.SmartLifecycle;

/**
 * Lets all due sagas act. Each type of saga has a thread of its own for each log, so that sagas never wait for those of
 * another type or log.
 */
final class DueSagaThreads implements SmartLifecycle {

    /** How long the transaction under way may take after a stop. After this time it is interrupted. */
    private static final Duration END_MAX = Duration.ofSeconds(10);

    private final SagaTypeRegistry kinds;
    private final Logs logs;
    private final BiFunction<SagaType<?>, Log, DueSagaPollLoop<?>> pollLoops;

    private volatile List<BackgroundLoop> running = List.of();

    DueSagaThreads(SagaTypeRegistry kinds, Logs logs, BiFunction<SagaType<?>, Log, DueSagaPollLoop<?>> pollLoops) {
        this.kinds = kinds;
        this.logs = logs;
        this.pollLoops = pollLoops;
    }

    @Override
    public void start() {
        if (running.isEmpty()) {
            running = kinds.due()
                    .flatMap(kind -> logs.all().stream().map(log -> pollLoops.apply(kind, log)))
                    .map(DueSagaPollLoop::loop)
                    .toList();
            running.forEach(BackgroundLoop::start);
        }
    }

    @Override
    public void stop() {
        BackgroundLoop.stopAll(running, END_MAX);
        running = List.of();
    }

    @Override
    public boolean isRunning() {
        return !running.isEmpty();
    }
}
