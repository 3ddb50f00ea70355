package lottery.fulfilment.code;

/** Counts the codes that a pool has had, and how many of them can still be given. */
record CodePoolCount(long total, long free, long given) {}
