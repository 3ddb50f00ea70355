package lottery.store.processing;

import org.axonframework.eventhandling.DomainEventMessage;
import org.axonframework.eventhandling.EventMessage;

/**
 * Decides which events have to be handled one after the other, those of one user, say. Without a rule of the
 * application, these are the events of one aggregate.
 */
@FunctionalInterface
public interface SequencingRule {

    /** Returns the key that an event shares with all events that must not overtake it. */
    String of(EventMessage<?> event);

    /** Returns a key for each aggregate; an event without an aggregate has its own. */
    static String ofAggregate(EventMessage<?> event) {
        return event instanceof DomainEventMessage<?> domain ? domain.getAggregateIdentifier() : event.getIdentifier();
    }
}
