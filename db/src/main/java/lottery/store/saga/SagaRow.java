package lottery.store.saga;

/**
 * A saga as it is in the table.
 *
 * @param sagaId Axon's own id, kept because it decides which segment of a processor handles the saga
 * @param failures how often it failed in a row when it was due
 * @param state its fields as a JSON document
 */
record SagaRow(SagaKey sagaKey, String sagaId, int version, int failures, String state) {}
