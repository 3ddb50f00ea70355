/** The journey of a recharge that is paid for later: it is closed when nobody has paid in time. */
@NullMarked
package lottery.journey.recharge;

import org.jspecify.annotations.NullMarked;
