package lottery.store.saga;

/**
 * The sagas of the batch of events that is being handled, for who knows when it commits that some have nothing left to
 * do.
 */
@FunctionalInterface
public interface BatchSagas {

    /**
     * Ends a saga instead of writing what the batch has made of it. One that has begun in the batch is never stored. If
     * the saga is not to be written, nothing happens: an event has to end it.
     */
    void end(Class<?> sagaType, String association);
}
