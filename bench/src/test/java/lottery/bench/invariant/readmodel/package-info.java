@NullMarked
package lottery.bench.invariant.readmodel;

import org.jspecify.annotations.NullMarked;
