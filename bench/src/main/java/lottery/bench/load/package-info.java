/** Puts a lottery under load over HTTP, as its users would, and reports how it copes. */
@NullMarked
package lottery.bench.load;

import org.jspecify.annotations.NullMarked;
