/** The limits of connections to PostgreSQL, which PostgreSQL itself keeps. */
@NullMarked
package lottery.store.connection;

import org.jspecify.annotations.NullMarked;
