package lottery.store.saga;

import org.axonframework.modelling.saga.SagaStorageException;

/** Somebody else has changed a saga since it was read. The batch is rolled back, and handled again with what is now. */
final class SagaChanged extends SagaStorageException {

    SagaChanged(String message) {
        super(message);
    }
}
