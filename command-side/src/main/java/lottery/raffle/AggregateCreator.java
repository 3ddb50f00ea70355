package lottery.raffle;

import static org.axonframework.modelling.command.AggregateLifecycle.createNew;

import java.util.concurrent.Callable;
import org.axonframework.modelling.command.Aggregate;
import org.axonframework.modelling.command.Repository;

/** Creates aggregates with the current unit of work, without Axon's checked exceptions. */
final class AggregateCreator {

    private AggregateCreator() {}

    /**
     * Creates an aggregate with the current unit of work, from code that does not run inside a command handler of
     * another aggregate.
     */
    static <T> void createIn(Repository<T> repository, Callable<T> factory) {
        try {
            repository.newInstance(factory);
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException("could not create an aggregate", e);
        }
    }

    static <T> Aggregate<T> create(Class<T> type, Callable<T> factory) {
        try {
            return createNew(type, factory);
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException("could not create an aggregate: " + type.getSimpleName(), e);
        }
    }
}
