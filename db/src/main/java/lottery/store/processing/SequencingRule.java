package lottery.store.processing;

import org.axonframework.eventhandling.DomainEventMessage;
import org.axonframework.eventhandling.EventMessage;

/**
 * Which events have to be handled one after the other, because none may overtake another: those of one user, say. An
 * application that says nothing has those of one aggregate.
 */
@FunctionalInterface
public interface SequencingRule {

    /** What an event shares with all that must not overtake it. */
    String of(EventMessage<?> event);

    /** Each aggregate has its own. */
    static String ofAggregate(EventMessage<?> event) {
        return event instanceof DomainEventMessage<?> domain ? domain.getAggregateIdentifier() : event.getIdentifier();
    }
}
