/** Draws what waits in the queue. */
@NullMarked
package lottery.journey.draw;

import org.jspecify.annotations.NullMarked;
