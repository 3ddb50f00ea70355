/** Encryption of secrets in the database, so that a reader of the database does not learn them. */
@NullMarked
package lottery.store.vault;

import org.jspecify.annotations.NullMarked;
