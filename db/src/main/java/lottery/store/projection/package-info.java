/** Read models that are stored in tables. For each batch of events, the changed rows are read once and written once. */
@NullMarked
package lottery.store.projection;

import org.jspecify.annotations.NullMarked;
