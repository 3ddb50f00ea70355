package lottery.store.log;

import java.util.Set;
import org.axonframework.modelling.command.AggregateStreamCreationException;

/** A command has begun aggregates that exist already. Nothing of it was stored. */
public final class AggregateAlreadyExists extends AggregateStreamCreationException {

    private static final long serialVersionUID = 1;

    private final transient Set<String> aggregateIds;

    AggregateAlreadyExists(Set<String> aggregateIds) {
        super("begun already: " + String.join(", ", aggregateIds));
        this.aggregateIds = Set.copyOf(aggregateIds);
    }

    /** Those of the command's new aggregates that are not new. */
    public Set<String> aggregateIds() {
        return aggregateIds;
    }
}
