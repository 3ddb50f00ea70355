package lottery.fulfilment.code;

/**
 * The counts of a pool: all codes that were ever uploaded, those that can still be given, and those that were given.
 */
record CodePoolCount(long total, long free, long given) {}
