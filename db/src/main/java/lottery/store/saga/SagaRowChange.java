package lottery.store.saga;

/** A change of one row. It is valid only for the version that was read. */
sealed interface SagaRowChange permits SagaRowToUpsert, SagaRowToDelete {

    /** The version that stands for a saga that is not in the table yet. */
    int NEW = 0;

    SagaKey sagaKey();

    int versionRead();
}
