package lottery.saga.desk;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.stereotype.Component;

/** Deletes old dead letters at intervals, because they may contain addresses of winners. */
@Component
final class DeadLetterExpiry implements Runnable, SmartInitializingSingleton, DisposableBean {

    private static final Logger LOG = LoggerFactory.getLogger(DeadLetterExpiry.class);

    private static final Duration KEPT = Duration.ofDays(90);

    private static final Duration BETWEEN = Duration.ofHours(1);
    private static final Duration FIRST_AFTER = Duration.ofMinutes(1);

    private final DeadLetterTable messages;
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("dead-letters").daemon().factory());

    DeadLetterExpiry(DeadLetterTable messages) {
        this.messages = messages;
    }

    @Override
    public void afterSingletonsInstantiated() {
        var _ = thread.scheduleWithFixedDelay(
                this::runOrLog, FIRST_AFTER.toSeconds(), BETWEEN.toSeconds(), TimeUnit.SECONDS);
    }

    private void runOrLog() {
        try {
            run();
        } catch (RuntimeException e) {
            LOG.warn(
                    "Old dead letters could not be deleted: {}. It is tried again in {} min.",
                    e.toString(),
                    BETWEEN.toMinutes());
        }
    }

    /** Deletes old dead letters now. */
    @Override
    public void run() {
        int deleted = messages.delete(KEPT);
        if (deleted > 0) {
            LOG.info("{} dead letters were deleted, because they were older than {} days.", deleted, KEPT.toDays());
        }
    }

    @Override
    public void destroy() {
        thread.shutdownNow();
    }
}
