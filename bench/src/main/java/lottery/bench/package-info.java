/** Measures the lottery and checks it from outside. */
@NullMarked
package lottery.bench;

import org.jspecify.annotations.NullMarked;
