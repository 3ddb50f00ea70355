/** Makes the log an event store of Axon Framework 4. */
@NullMarked
package lottery.store.axon;

import org.jspecify.annotations.NullMarked;
