package lottery.store.saga;

/**
 * The key of a saga in the table.
 *
 * @param type the stable name of the type of saga
 * @param association the value of its one association
 */
record SagaKey(String type, String association) {}
