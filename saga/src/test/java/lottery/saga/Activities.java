package lottery.saga;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CopyOnWriteArrayList;
import lottery.api.Answer;
import lottery.api.Refusal;
import lottery.api.Refused;
import lottery.api.activity.ActivityCommand;
import lottery.api.activity.ActivityCommand.CloseActivity;
import lottery.api.activity.ActivityCommand.PublishSeed;
import lottery.api.activity.ActivityCommand.StartActivity;
import lottery.api.activity.ActivityEvent;
import lottery.api.activity.ActivityEvent.ActivityClosed;
import lottery.api.activity.ActivityEvent.ActivityCreated;
import lottery.api.activity.ActivityEvent.ActivityStarted;
import lottery.api.activity.ActivityEvent.SeedPublished;
import lottery.api.activity.ActivityId;
import lottery.api.activity.ActivityState;
import org.axonframework.commandhandling.CommandHandler;
import org.axonframework.eventhandling.GenericDomainEventMessage;
import org.axonframework.eventsourcing.eventstore.EventStore;

/** Replaces the activities of the command side, with as much of their rules as the saga needs. */
class Activities {

    private record KeptActivity(ActivityState state, int round, long sequence) {}

    private final EventStore events;
    private final ConcurrentMap<ActivityId, KeptActivity> activities = new ConcurrentHashMap<>();
    private final ConcurrentMap<ActivityId, Integer> failuresLeft = new ConcurrentHashMap<>();
    private final List<ActivityCommand> received = new CopyOnWriteArrayList<>();

    Activities(EventStore events) {
        this.events = events;
    }

    synchronized void create(ActivityCreated created) {
        activities.put(created.activityId(), new KeptActivity(ActivityState.EDIT, 0, -1));
        happens(created, ActivityState.EDIT);
    }

    /** Records that an activity was changed. */
    synchronized void happens(ActivityEvent event, ActivityState state) {
        ActivityId id = event.activityId();
        KeptActivity before = requireNonNull(activities.get(id));
        long sequence = before.sequence() + 1;
        int round = event instanceof ActivityStarted ? before.round() + 1 : before.round();
        events.publish(new GenericDomainEventMessage<>("activity", id.text(), sequence, event, Map.of()));
        activities.put(id, new KeptActivity(state, round, sequence));
    }

    void fail(ActivityId id, int times) {
        failuresLeft.put(id, times);
    }

    ActivityState stateOf(ActivityId id) {
        return requireNonNull(activities.get(id)).state();
    }

    List<ActivityCommand> receivedFor(ActivityId id) {
        return received.stream()
                .filter(command -> command.activityId().equals(id))
                .toList();
    }

    @CommandHandler
    synchronized Answer<ActivityState> handle(StartActivity start) {
        KeptActivity kept = receive(start);
        boolean allowed = kept.state() == ActivityState.PASSED || kept.state() == ActivityState.OPENED;
        return decide(
                start,
                allowed,
                new ActivityStarted(start.activityId(), kept.round() + 1, "commitment", "k1:sealed", "bound to 1"),
                ActivityState.DOING);
    }

    @CommandHandler
    synchronized Answer<ActivityState> handle(CloseActivity close) {
        KeptActivity kept = receive(close);
        return decide(
                close,
                kept.state() == ActivityState.DOING,
                new ActivityClosed(close.activityId()),
                ActivityState.CLOSED);
    }

    @CommandHandler
    synchronized Answer<ActivityState> handle(PublishSeed publish) {
        KeptActivity kept = receive(publish);
        boolean over = kept.state() != ActivityState.DOING || publish.round() < kept.round();
        return decide(publish, over, new SeedPublished(publish.activityId(), publish.round(), "seed"), kept.state());
    }

    private KeptActivity receive(ActivityCommand command) {
        received.add(command);
        int failures = failuresLeft.getOrDefault(command.activityId(), 0);
        if (failures > 0) {
            failuresLeft.put(command.activityId(), failures - 1);
            throw new IllegalStateException("the database is away");
        }
        return requireNonNull(activities.get(command.activityId()));
    }

    private Answer<ActivityState> decide(
            ActivityCommand command, boolean allowed, ActivityEvent event, ActivityState next) {
        if (!allowed) {
            return Answer.no(
                    new Refused(Refusal.ACTIVITY_STATE, command.activityId().text()));
        }
        happens(event, next);
        return Answer.done(next);
    }
}
