package lottery.rebate;

import java.util.Optional;
import lottery.api.rebate.BehaviourEvent;
import lottery.api.rebate.BehaviourEvent.BehaviourReported;
import lottery.api.rebate.BehaviourId;
import lottery.api.rebate.BehaviourProgress;
import org.axonframework.eventsourcing.eventstore.DomainEventStream;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.springframework.stereotype.Component;

/** Reads behaviours from their events. */
@Component
public class BehaviourReader {

    private final EventStore events;

    BehaviourReader(EventStore events) {
        this.events = events;
    }

    /** Returns the behaviour as it is now. */
    Optional<BehaviourProgress> find(BehaviourId behaviourId) {
        DomainEventStream history = events.readEvents(behaviourId.text());
        BehaviourProgress progress = null;
        while (history.hasNext()) {
            BehaviourEvent event = (BehaviourEvent) history.next().getPayload();
            progress = progress == null ? BehaviourProgress.of((BehaviourReported) event) : progress.after(event);
        }
        return Optional.ofNullable(progress);
    }

    /** Returns the behaviour as it was when it was reported. This is the answer to a repeated request. */
    public Optional<BehaviourProgress> first(BehaviourId behaviourId) {
        DomainEventStream history = events.readEvents(behaviourId.text());
        return history.hasNext()
                ? Optional.of(
                        BehaviourProgress.of((BehaviourReported) history.next().getPayload()))
                : Optional.empty();
    }
}
