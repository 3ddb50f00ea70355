/** Puts a lottery under load over HTTP, as its users would, and says how it bore that. */
@NullMarked
package lottery.bench.load;

import org.jspecify.annotations.NullMarked;
