package lottery.activity;

import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Function;
import lottery.api.Answer;
import lottery.api.Refusal;
import lottery.api.Refused;
import lottery.api.activity.ActivityEvent;
import lottery.api.activity.ActivityId;
import lottery.store.FollowedCache;
import lottery.store.axon.EventStreams;
import org.axonframework.config.ProcessingGroup;
import org.axonframework.eventhandling.EventHandler;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.springframework.stereotype.Component;

/**
 * Caches the activities of this process. A lookup does not wait, unless the activity has changed, here or on another
 * node.
 */
@Component
@ProcessingGroup("caches")
public class ActivityCache {

    private static final long KEPT_MAX = 10_000;

    private final EventStore events;
    private final InstantSource clock;
    private final FollowedCache<ActivityId, ActivityProgress> kept;

    ActivityCache(EventStore events, InstantSource clock) {
        this.events = events;
        this.clock = clock;
        this.kept = new FollowedCache<>(KEPT_MAX, clock, this::read);
    }

    public Answer<ActivityProgress> find(ActivityId activityId) {
        return found(activityId, kept.find(activityId));
    }

    /** Returns the activity as it was in the log at this time or later. */
    public Answer<ActivityProgress> findAsOf(ActivityId activityId, Instant time) {
        return found(activityId, kept.findAsOf(activityId, time));
    }

    /** Returns the activity as the log has it now, for a decision that must not miss a change of another process. */
    public Answer<ActivityProgress> findInLog(ActivityId activityId) {
        return findAsOf(activityId, clock.instant());
    }

    /** Returns the activity if chances can be recharged and spent in it now. */
    public Answer<DrawableActivity> findOpen(ActivityId activityId) {
        Instant now = clock.instant();
        return decide(activityId, activity -> activity.requireOpen(now))
                .then(activity -> Answer.done(new DrawableActivity(activity, now)));
    }

    /**
     * Decides something about an activity. A refusal is decided again from the log, because another process may have
     * changed the activity a moment ago: nothing is refused because of an old state.
     */
    public <R> Answer<R> decide(ActivityId activityId, Function<ActivityProgress, Answer<R>> decision) {
        Instant now = clock.instant();
        Answer<R> answer = find(activityId).then(decision);
        return switch (answer) {
            case Answer.Done<R> _ -> answer;
            case Answer.No<R> _ -> findAsOf(activityId, now).then(decision);
        };
    }

    private static Answer<ActivityProgress> found(ActivityId activityId, Optional<ActivityProgress> activity) {
        return activity.<Answer<ActivityProgress>>map(Answer::done)
                .orElseGet(() -> Answer.no(new Refused(Refusal.NOT_FOUND, activityId.text())));
    }

    private Optional<ActivityProgress> read(ActivityId activityId) {
        return EventStreams.fold(events, activityId.text(), ActivityProgress::evolve);
    }

    /** Drops a cached activity if it was read before this time. So the next answer is not older than this time. */
    public void forgetOlder(ActivityId activityId, Instant time) {
        kept.forgetOlder(activityId, time);
    }

    /**
     * Drops a cached activity. It is called after a change in this process, so that the caller sees the change before
     * its event arrives.
     */
    void forget(ActivityId activityId) {
        kept.forget(activityId);
    }

    @EventHandler
    void on(ActivityEvent event) {
        forget(event.activityId());
    }
}
