package lottery.store.log;

import java.util.List;
import org.axonframework.eventhandling.EventMessage;
import org.axonframework.serialization.Serializer;

/** Appends events to the log. */
public interface EventAppender {

    /**
     * Appends events with the commit of the current unit of work. Without a unit of work it returns after the commit.
     */
    void append(List<? extends EventMessage<?>> events, Serializer serializer);

    /**
     * Notes that the current unit of work has found no events of an aggregate. If it creates the aggregate, and another
     * unit of work has created it meanwhile, the commit fails with a conflict. The unit has then decided on outdated
     * state, and is to be decided anew.
     */
    void noteAbsence(String aggregateId);
}
