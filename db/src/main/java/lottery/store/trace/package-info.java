/** Trace ids and actors, which are passed on to everything that follows from one request. */
@NullMarked
package lottery.store.trace;

import org.jspecify.annotations.NullMarked;
