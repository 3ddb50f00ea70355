/** Invariants that must always hold, each computed independently of the lottery's code. */
@NullMarked
package lottery.bench.invariant;

import org.jspecify.annotations.NullMarked;
