/** A draw: its order, its ticket and its outcome. */
@NullMarked
package lottery.raffle;

import org.jspecify.annotations.NullMarked;
