package lottery.store.processing;

import java.util.Set;

/**
 * Lets several processing groups share one processor: one reading of the log, one transaction and one token. A group
 * still has its own parked events, and a read model is still rebuilt by itself. A group that is in no bean of this type
 * has a processor of its own.
 *
 * <p>An outage stops all groups of a processor. So a group that needs something which the others do not need, such as a
 * broker, belongs into another processor.
 *
 * @param name the name of the processor
 * @param groups the names of the processing groups
 */
public record SharedProcessor(String name, Set<String> groups) {

    public SharedProcessor {
        groups = Set.copyOf(groups);
    }
}
