/** A draw has an order, a ticket and an outcome. */
@NullMarked
package lottery.raffle;

import org.jspecify.annotations.NullMarked;
