package lottery.store.saga;

/** A row to delete. */
record SagaRowToDelete(SagaKey sagaKey, int versionRead) implements SagaRowChange {}
