/** Draws the requests that wait in the queue. */
@NullMarked
package lottery.journey.draw;

import org.jspecify.annotations.NullMarked;
