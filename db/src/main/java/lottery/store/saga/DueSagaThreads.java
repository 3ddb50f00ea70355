package lottery.store.saga;

import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import lottery.store.loop.BackgroundLoop;
import org.springframework.context.SmartLifecycle;

/**
 * Lets all due sagas act. Each type of saga has a thread of its own, so that sagas of one type never wait for those of
 * another type.
 */
final class DueSagaThreads implements SmartLifecycle {

    /** How long the transaction under way may take after a stop. After this time it is interrupted. */
    private static final Duration END_MAX = Duration.ofSeconds(10);

    private final SagaTypeRegistry kinds;
    private final Function<SagaType<?>, DueSagaPollLoop<?>> pollLoops;

    private volatile List<BackgroundLoop> running = List.of();

    DueSagaThreads(SagaTypeRegistry kinds, Function<SagaType<?>, DueSagaPollLoop<?>> pollLoops) {
        this.kinds = kinds;
        this.pollLoops = pollLoops;
    }

    @Override
    public void start() {
        if (running.isEmpty()) {
            running = kinds.due().map(kind -> pollLoops.apply(kind).loop()).toList();
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
