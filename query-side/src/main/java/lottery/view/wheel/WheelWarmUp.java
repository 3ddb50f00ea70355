package lottery.view.wheel;

import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import lottery.api.UserId;
import lottery.api.account.AccountId;
import lottery.api.activity.ActivityId;
import lottery.store.processing.ProcessorPositionAwaiter;
import lottery.store.processing.ProcessorPositionAwaiter.Arrival;
import lottery.view.SingleFlight;
import lottery.view.activity.ActivityReader;
import lottery.view.wheel.WheelReader.FindWheel;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.ApplicationRunner;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;

/**
 * Reads a wheel before the process is ready. The first queries of a process load many classes. On a busy machine this
 * takes longer than the time limit of {@link SingleFlight}, so the first users would be refused.
 */
@Component
@Order(Ordered.LOWEST_PRECEDENCE)
final class WheelWarmUp implements ApplicationRunner {

    private static final Logger LOG = LoggerFactory.getLogger(WheelWarmUp.class);

    /** A user who has drawn nothing. It does no harm if somebody has this id. */
    private static final UserId NOBODY = new UserId("warm-up");

    /** The read models without which there is no wheel. */
    private static final Set<String> READ_MODELS = Set.of("activities", "wheel");

    private static final Duration WAIT_MAX = Duration.ofSeconds(10);

    private final Supplier<Optional<ActivityId>> newest;
    private final Consumer<ActivityId> wheel;
    private final EventStore events;
    private final ProcessorPositionAwaiter positionAwaiter;
    private final Duration waitMax;

    @Autowired
    WheelWarmUp(
            ActivityReader activities,
            WheelReader wheels,
            EventStore events,
            ProcessorPositionAwaiter positionAwaiter) {
        this(
                activities::newest,
                activityId -> wheels.answer(new FindWheel(new AccountId(activityId, NOBODY))),
                events,
                positionAwaiter,
                WAIT_MAX);
    }

    /**
     * @param newest returns the newest activity
     * @param wheel reads the wheel of an activity
     * @param waitMax how long to wait for the first activity, which a demo has just created
     */
    WheelWarmUp(
            Supplier<Optional<ActivityId>> newest,
            Consumer<ActivityId> wheel,
            EventStore events,
            ProcessorPositionAwaiter positionAwaiter,
            Duration waitMax) {
        this.newest = newest;
        this.wheel = wheel;
        this.events = events;
        this.positionAwaiter = positionAwaiter;
        this.waitMax = waitMax;
    }

    @Override
    public void run(ApplicationArguments arguments) throws InterruptedException {
        try {
            Optional<ActivityId> activityId = newest.get();
            if (activityId.isEmpty() && awaitReadModels() == Arrival.REACHED) {
                activityId = newest.get();
            }
            activityId.ifPresentOrElse(
                    wheel,
                    () -> LOG.info("This process knows no activity yet. The first query for a wheel may take longer."));
        } catch (RuntimeException e) {
            LOG.warn("The queries are not warmed up: {}. The first queries may take longer.", e.toString());
        }
    }

    private Arrival awaitReadModels() throws InterruptedException {
        long head = events.createHeadToken().position().orElse(0);
        return positionAwaiter.await(READ_MODELS, head, waitMax);
    }
}
