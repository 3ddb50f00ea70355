/** Draws the requests that wait in the queue. */
@NullMarked
package lottery.saga.draw;

import org.jspecify.annotations.NullMarked;
