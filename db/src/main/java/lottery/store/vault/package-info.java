/** Secrets that are kept in the database, so that who can read it learns none. */
@NullMarked
package lottery.store.vault;

import org.jspecify.annotations.NullMarked;
