/** Read models that are tables: the rows that a batch of events changes are read once and written once. */
@NullMarked
package lottery.store.projection;

import org.jspecify.annotations.NullMarked;
