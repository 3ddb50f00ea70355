package lottery.store.processing;

import org.axonframework.eventhandling.DomainEventMessage;
import org.axonframework.eventhandling.EventMessage;

/**
 * Decides which events have to be handled one after the other, for example all events of one user. If the application
 * has no rule, the events of each aggregate are handled one after the other.
 */
@FunctionalInterface
public interface SequencingRule {

    /** Returns the key that an event shares with all events that must not overtake it. */
    String of(EventMessage<?> event);

    /** Returns one key per aggregate. An event without an aggregate has a key of its own. */
    static String ofAggregate(EventMessage<?> event) {
        return event instanceof DomainEventMessage<?> domain ? domain.getAggregateIdentifier() : event.getIdentifier();
    }
}
