/** Invariants of draws: orders and their outcomes, answers, counts of earlier draws, rounds and pools. */
@NullMarked
package lottery.bench.invariant.draw;

import org.jspecify.annotations.NullMarked;
