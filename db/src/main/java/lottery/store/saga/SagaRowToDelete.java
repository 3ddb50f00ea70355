package lottery.store.saga;

/** A row to delete. */
record SagaRowToDelete(SagaKey place, int versionRead) implements SagaRowChange {}
