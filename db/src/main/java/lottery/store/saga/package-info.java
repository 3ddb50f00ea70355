/** Sagas in table rows: read and written a batch at a time, and called when they are due. */
@NullMarked
package lottery.store.saga;

import org.jspecify.annotations.NullMarked;
