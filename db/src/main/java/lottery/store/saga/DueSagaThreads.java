package lottery.store.saga;

import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/**
 * Lets all due sagas act. Each type of saga has a thread of its own, so that sagas of one type never wait for those of
 * another type.
 */
final class DueSagaThreads implements SmartLifecycle {

    private static final Logger log = LoggerFactory.getLogger(DueSagaThreads.class);

    /** How long the transaction under way may take after a stop. After this time it is rolled back. */
    private static final Duration END_MAX = Duration.ofSeconds(10);

    private final SagaTypeRegistry kinds;
    private final Function<SagaType<?>, DueSagaPollLoop<?>> pollLoops;

    private volatile List<RunningPollLoop> running = List.of();

    DueSagaThreads(SagaTypeRegistry kinds, Function<SagaType<?>, DueSagaPollLoop<?>> pollLoops) {
        this.kinds = kinds;
        this.pollLoops = pollLoops;
    }

    private record RunningPollLoop(DueSagaPollLoop<?> pollLoop, Thread thread) {

        static RunningPollLoop start(String kind, DueSagaPollLoop<?> pollLoop) {
            Thread thread =
                    Thread.ofPlatform().name("due-sagas-" + kind).daemon().unstarted(pollLoop);
            thread.start();
            return new RunningPollLoop(pollLoop, thread);
        }
    }

    @Override
    public void start() {
        if (running.isEmpty()) {
            running = kinds.due()
                    .map(kind -> RunningPollLoop.start(kind.name(), pollLoops.apply(kind)))
                    .toList();
        }
    }

    @Override
    public void stop() {
        List<RunningPollLoop> stopped = running;
        running = List.of();
        stopped.forEach(each -> each.pollLoop().stop());
        try {
            for (RunningPollLoop each : stopped) {
                if (!each.thread().join(END_MAX)) {
                    log.info(
                            "The thread {} did not stop within {} s. Its transaction is rolled back, and its sagas stay due.",
                            each.thread().getName(),
                            END_MAX.toSeconds());
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public boolean isRunning() {
        return !running.isEmpty();
    }
}
