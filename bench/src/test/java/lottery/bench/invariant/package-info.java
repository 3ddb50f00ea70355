@NullMarked
package lottery.bench.invariant;

import org.jspecify.annotations.NullMarked;
