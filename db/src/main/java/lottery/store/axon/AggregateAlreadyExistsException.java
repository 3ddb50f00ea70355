package lottery.store.axon;

import java.util.Set;
import org.axonframework.modelling.command.AggregateStreamCreationException;

/**
 * A command tried to create aggregates that already exist, and had not looked for them before. Nothing of the command
 * is stored. The same command would fail again.
 */
public final class AggregateAlreadyExistsException extends AggregateStreamCreationException {

    private static final long serialVersionUID = 1;

    private final transient Set<String> aggregateIds;

    AggregateAlreadyExistsException(Set<String> aggregateIds, Throwable cause) {
        super("these aggregates exist already: " + String.join(", ", aggregateIds), cause);
        this.aggregateIds = Set.copyOf(aggregateIds);
    }

    /** Returns the ids of the new aggregates that already exist. */
    public Set<String> aggregateIds() {
        return aggregateIds;
    }
}
