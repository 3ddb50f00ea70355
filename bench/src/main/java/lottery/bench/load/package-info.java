/** Puts a lottery under load over HTTP with the requests of many users, and reports the results. */
@NullMarked
package lottery.bench.load;

import org.jspecify.annotations.NullMarked;
