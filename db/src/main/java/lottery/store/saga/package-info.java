/** Sagas that are stored in table rows. They are read and written batch by batch, and called when they are due. */
@NullMarked
package lottery.store.saga;

import org.jspecify.annotations.NullMarked;
