/** Invariants of awards: wins and their limits, grants, and the stock that they take. */
@NullMarked
package lottery.bench.invariant.award;

import org.jspecify.annotations.NullMarked;
