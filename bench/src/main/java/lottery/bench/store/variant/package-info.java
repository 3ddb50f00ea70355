/** The variants that are compared: bare SQL, Axon's own engine, and the event store of the lottery. */
@NullMarked
package lottery.bench.store.variant;

import org.jspecify.annotations.NullMarked;
