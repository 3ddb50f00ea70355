package lottery.store.saga;

/** Ends sagas of the batch of events that is being handled, for callers who learn that they have nothing left to do. */
@FunctionalInterface
public interface BatchSagaEnder {

    /**
     * Ends a saga instead of writing what the batch has made of it. A saga that has begun in this batch is never
     * stored. Where the batch does not write the saga, nothing happens, and an event has to end it.
     */
    void end(Class<?> sagaType, String association);
}
