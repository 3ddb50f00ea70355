/** The limits of connections to PostgreSQL, which PostgreSQL itself enforces. */
@NullMarked
package lottery.store.connection;

import org.jspecify.annotations.NullMarked;
