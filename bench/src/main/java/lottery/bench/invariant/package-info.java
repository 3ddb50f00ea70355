/** Invariants that must hold whatever has happened, each with an arithmetic of its own. */
@NullMarked
package lottery.bench.invariant;

import org.jspecify.annotations.NullMarked;
