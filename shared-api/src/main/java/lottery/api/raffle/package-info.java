/** A draw and its outcome. */
@NullMarked
package lottery.api.raffle;

import org.jspecify.annotations.NullMarked;
