package lottery.raffle;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import lottery.activity.ActivityCache;
import lottery.activity.ActivityProgress;
import lottery.api.Answer;
import lottery.api.activity.ActivityEvent;
import lottery.api.activity.ActivityId;
import lottery.api.activity.ActivityState;
import lottery.fairness.SeedCache;
import lottery.store.axon.HistoryReader;
import lottery.store.loop.BackgroundLoop;
import lottery.strategy.StrategyCache;
import org.axonframework.config.ProcessingGroup;
import org.axonframework.eventhandling.EventHandler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.stereotype.Component;

/**
 * Loads what draws need, from a minute before an activity begins: the activity and the rules of its strategy. The seed
 * is loaded as soon as the round has started. So the first draws of a crowd do not wait for these loads. If something
 * is not loaded, a draw loads it itself.
 */
@Component
@ProcessingGroup("caches")
class ActivityWarmUp implements MeterBinder {

    private static final Logger LOG = LoggerFactory.getLogger(ActivityWarmUp.class);

    private static final Duration AHEAD = Duration.ofMinutes(1);

    /** How long an activity is kept loaded after its begin. After that the draws keep it loaded. */
    private static final Duration AFTER = Duration.ofSeconds(10);

    private static final Duration PAUSE = Duration.ofSeconds(1);
    private static final int CHANGES_MAX = 10_000;

    private final ActivityCache activities;
    private final StrategyCache strategies;
    private final SeedCache seeds;
    private final HistoryReader history;
    private final InstantSource clock;

    /** The activities that have had an event since the last look. */
    private final Set<ActivityId> changed = ConcurrentHashMap.newKeySet();

    /** The begin of each activity that has not begun yet. Only the thread of this class uses the map. */
    private final Map<ActivityId, Instant> begins = new HashMap<>();

    private final Set<ActivityId> warm = ConcurrentHashMap.newKeySet();

    private boolean hasRead;

    ActivityWarmUp(
            ActivityCache activities,
            StrategyCache strategies,
            SeedCache seeds,
            HistoryReader history,
            InstantSource clock) {
        this.activities = activities;
        this.strategies = strategies;
        this.seeds = seeds;
        this.history = history;
        this.clock = clock;
    }

    @Bean
    BackgroundLoop activityWarmUpLoop() {
        return new BackgroundLoop(
                "warm-up", PAUSE, this::look, "Rules of activities could not be loaded: {}. First draws take longer.");
    }

    /**
     * Notes that an activity has changed. If too many activities change at once, some are left out. This does no harm,
     * because draws load what is missing.
     */
    @EventHandler
    void on(ActivityEvent event) {
        if (changed.size() < CHANGES_MAX) {
            changed.add(event.activityId());
        }
    }

    /**
     * Finds the activities that begin soon, and loads them. The first call looks at all activities; each later call
     * looks only at those that have changed.
     */
    private void look() {
        if (!hasRead) {
            history.newestOfEach(ActivityId.PREFIX)
                    .forEach(newest -> changed.add(((ActivityEvent) newest.getPayload()).activityId()));
            hasRead = true;
        }
        for (ActivityId activityId : List.copyOf(changed)) {
            changed.remove(activityId);
            plan(activityId);
        }
        Instant now = clock.instant();
        begins.values().removeIf(begin -> begin.plus(AFTER).isBefore(now));
        warm.retainAll(begins.keySet());
        begins.forEach((activityId, begin) -> {
            if (!begin.minus(AHEAD).isAfter(now)) {
                warmUp(activityId);
            }
        });
    }

    private void plan(ActivityId activityId) {
        switch (activities.find(activityId)) {
            case Answer.Done<ActivityProgress>(ActivityProgress activity)
            when mayBegin(activity) ->
                begins.put(activityId, activity.definition().beginsAt());
            case Answer.Done<ActivityProgress> _, Answer.No<ActivityProgress> _ -> begins.remove(activityId);
        }
    }

    private static boolean mayBegin(ActivityProgress activity) {
        return switch (activity.state()) {
            case PASSED, OPENED, DOING, PAUSED -> true;
            case EDIT, ARRAIGNED, REFUSED, CLOSED -> false;
        };
    }

    /**
     * Reads the same facts as a draw. This is done once a second, which is cheap, because most of these reads are
     * answered from memory.
     */
    private void warmUp(ActivityId activityId) {
        try {
            ActivityProgress activity = activities.find(activityId).orThrow();
            var _ = activity.rulesIn(strategies);
            if (warm.add(activityId)) {
                LOG.info("The rules of {} are loaded before its first draw.", activityId);
            }
            if (activity.state() == ActivityState.DOING) {
                var _ = seeds.of(activity.round());
            }
        } catch (RuntimeException e) {
            LOG.warn("The rules of {} could not be loaded. It is tried again.", activityId, e);
        }
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        Gauge.builder("lottery.activities.warm", warm, Set::size)
                .description("Activities that begin within a minute and are warm")
                .register(registry);
    }
}
