package lottery.store.saga;

/** Ends sagas of the current batch of events, for a caller that finds that they have nothing left to do. */
@FunctionalInterface
public interface BatchSagaEnder {

    /**
     * Ends a saga instead of writing what the batch has made of it. A saga that began in this batch is never stored. If
     * the batch does not write the saga, nothing happens, and an event has to end it.
     */
    void end(Class<?> sagaType, String association);
}
