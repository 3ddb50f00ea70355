package lottery;

/**
 * The result of a request that may be repeated.
 *
 * @param isReplayed whether an earlier request had this result, which this request gets again
 */
public record IdempotentResult<R>(R value, boolean isReplayed) {}
