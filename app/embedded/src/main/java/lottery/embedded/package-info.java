/** Real PostgreSQL, Redis and Kafka inside the process that asks for them; never part of the production artifact. */
@NullMarked
package lottery.embedded;

import org.jspecify.annotations.NullMarked;
