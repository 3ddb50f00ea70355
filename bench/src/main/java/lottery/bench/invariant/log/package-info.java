/** Invariants of the log itself: names of events, positions, streams, shards and claims. */
@NullMarked
package lottery.bench.invariant.log;

import org.jspecify.annotations.NullMarked;
