package lottery.store.saga;

/** A row to delete. */
record SagaRowDeletion(SagaKey place, int versionRead) implements SagaRowChange {}
