package lottery.fulfilment.code;

/** How many codes a pool has had, and how many of them can still be given. */
record CodePoolCount(long total, long free, long given) {}
