/** The time of PostgreSQL, which all processes share. */
@NullMarked
package lottery.store.clock;

import org.jspecify.annotations.NullMarked;
