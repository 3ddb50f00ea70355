/**
 * How events are handled: each processor at its own pace, and where it is in the same transaction as what it writes.
 */
@NullMarked
package lottery.store.processing;

import org.jspecify.annotations.NullMarked;
