/** What each invariant is made of: the events as they are stored, tallies over them, and the verdict. */
@NullMarked
package lottery.bench.invariant;

import org.jspecify.annotations.NullMarked;
