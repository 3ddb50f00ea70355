/** Sagas on their rows: read and written a batch at a time, and looked at again when they are due. */
@NullMarked
package lottery.store.saga;

import org.jspecify.annotations.NullMarked;
