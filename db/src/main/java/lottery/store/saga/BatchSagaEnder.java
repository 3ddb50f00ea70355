package lottery.store.saga;

/** Ends sagas of the current batch of events that have nothing left to do. */
@FunctionalInterface
public interface BatchSagaEnder {

    /**
     * Ends a saga instead of writing its new state. If the saga began in this batch, it is never stored. If the batch
     * does not write the saga, this method does nothing, and an event has to end the saga.
     */
    void end(Class<?> sagaType, String association);
}
