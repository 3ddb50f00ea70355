package lottery.rebate;

import java.util.Optional;
import lottery.api.rebate.BehaviourEvent.BehaviourReported;
import lottery.api.rebate.BehaviourId;
import lottery.api.rebate.BehaviourProgress;
import lottery.store.axon.EventStreams;
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
        return EventStreams.fold(events, behaviourId.text(), BehaviourProgress::evolve);
    }

    /** Returns the behaviour as it was when it was reported. This is the answer to a repeated request. */
    public Optional<BehaviourProgress> first(BehaviourId behaviourId) {
        return EventStreams.<BehaviourReported>first(events, behaviourId.text()).map(BehaviourProgress::of);
    }
}
