/** The saga of a recharge that is paid later closes the recharge if nobody has paid in time. */
@NullMarked
package lottery.saga.recharge;

import org.jspecify.annotations.NullMarked;
