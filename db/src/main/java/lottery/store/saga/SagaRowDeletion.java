package lottery.store.saga;

/** A row that is to go. */
record SagaRowDeletion(SagaKey place, int versionRead) implements SagaRowChange {}
