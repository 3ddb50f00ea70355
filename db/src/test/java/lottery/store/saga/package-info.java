/** Sagas of parcels, against a real database. */
@NullMarked
package lottery.store.saga;

import org.jspecify.annotations.NullMarked;
