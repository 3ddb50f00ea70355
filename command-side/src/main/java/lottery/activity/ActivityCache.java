package lottery.activity;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import lottery.api.Answer;
import lottery.api.Refusal;
import lottery.api.Refused;
import lottery.api.activity.ActivityEvent;
import lottery.api.activity.ActivityId;
import org.axonframework.config.ProcessingGroup;
import org.axonframework.eventhandling.EventHandler;
import org.axonframework.eventsourcing.eventstore.DomainEventStream;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * Caches the activities of this process. A lookup does not wait, unless the activity has changed, here or on another
 * node.
 */
@Component
@ProcessingGroup("caches")
public class ActivityCache {

    private static final long KEPT_MAX = 10_000;

    /** The longest time for which an old state is used if the event of a change arrives late. */
    private static final Duration AGE_MAX = Duration.ofSeconds(5);

    /**
     * The age after which an entry that a caller asks for is read again in the background. The caller does not wait for
     * it.
     */
    private static final Duration AGE_USUAL = Duration.ofSeconds(2);

    private final EventStore events;
    private final InstantSource clock;
    private final LoadingCache<ActivityId, Known> kept = Caffeine.newBuilder()
            .maximumSize(KEPT_MAX)
            .expireAfterWrite(AGE_MAX)
            .refreshAfterWrite(AGE_USUAL)
            .executor(Thread::startVirtualThread)
            .build(this::read);

    /** @param asOf a time before the read began, because a read takes time and a process may be suspended */
    private record Known(@Nullable ActivityProgress activity, Instant asOf) {}

    ActivityCache(EventStore events, InstantSource clock) {
        this.events = events;
        this.clock = clock;
    }

    public Answer<ActivityProgress> find(ActivityId activityId) {
        Known known = kept.get(activityId);
        if (known.asOf().isBefore(clock.instant().minus(AGE_MAX))) {
            kept.asMap().remove(activityId, known);
            known = kept.get(activityId);
        }
        ActivityProgress activity = known.activity();
        return activity == null ? Answer.no(new Refused(Refusal.NOT_FOUND, activityId.text())) : Answer.done(activity);
    }

    /** Returns the activity if chances can be recharged and spent in it now. */
    public Answer<OpenActivity> findOpen(ActivityId activityId) {
        Instant now = clock.instant();
        return find(activityId)
                .then(activity -> activity.requireOpen(now))
                .then(activity -> Answer.done(new OpenActivity(activity, now)));
    }

    private Known read(ActivityId activityId) {
        Instant now = clock.instant();
        DomainEventStream history = events.readEvents(activityId.text());
        ActivityProgress activity = null;
        while (history.hasNext()) {
            activity = ActivityProgress.evolve(
                    activity, (ActivityEvent) history.next().getPayload());
        }
        return new Known(activity, now);
    }

    /** Drops a cached activity if it was read before this time. So the next answer is not older than this time. */
    public void forgetOlder(ActivityId activityId, Instant time) {
        kept.asMap().computeIfPresent(activityId, (_, known) -> known.asOf().isBefore(time) ? null : known);
    }

    /**
     * Drops a cached activity. It is called after a change in this process, so that the caller sees the change before
     * its event arrives.
     */
    void forget(ActivityId activityId) {
        kept.asMap().remove(activityId);
    }

    @EventHandler
    void on(ActivityEvent event) {
        forget(event.activityId());
    }
}
