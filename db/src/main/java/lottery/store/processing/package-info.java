/** Processors: each handles events at its own speed, and stores its position in the transaction of its writes. */
@NullMarked
package lottery.store.processing;

import org.jspecify.annotations.NullMarked;
