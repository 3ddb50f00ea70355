/** One id for everything that follows from one request. */
@NullMarked
package lottery.store.trace;

import org.jspecify.annotations.NullMarked;
