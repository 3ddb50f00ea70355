/** Compares the event store with bare SQL and Axon's own engine, in one run on one PostgreSQL. */
@NullMarked
package lottery.bench.store;

import org.jspecify.annotations.NullMarked;
