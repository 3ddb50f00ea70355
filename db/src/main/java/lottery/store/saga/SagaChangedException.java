package lottery.store.saga;

import org.axonframework.modelling.saga.SagaStorageException;

/**
 * Another transaction has changed a saga since it was read. The batch is rolled back and handled again. This is rare,
 * because a batch locks the sagas that it reads.
 */
final class SagaChangedException extends SagaStorageException {

    SagaChangedException(String message) {
        super(message);
    }
}
