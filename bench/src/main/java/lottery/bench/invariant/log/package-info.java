/** Invariants of the log itself: names of events, positions, streams, shards, claims, and second persons. */
@NullMarked
package lottery.bench.invariant.log;

import org.jspecify.annotations.NullMarked;
