/** What must hold, whatever has happened: each invariant with an arithmetic of its own. */
@NullMarked
package lottery.bench.invariant;

import org.jspecify.annotations.NullMarked;
