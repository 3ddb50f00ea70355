/** Read models that are tables: what a batch of events changes in them is read once and written once. */
@NullMarked
package lottery.store.projection;

import org.jspecify.annotations.NullMarked;
