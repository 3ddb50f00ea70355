/** Moves of a log to another PostgreSQL server, while the application runs. */
@NullMarked
package lottery.store.move;

import org.jspecify.annotations.NullMarked;
