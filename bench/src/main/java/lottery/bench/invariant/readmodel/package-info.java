/** Computes each read model again from the events, and compares it with its table. */
@NullMarked
package lottery.bench.invariant.readmodel;

import org.jspecify.annotations.NullMarked;
