/** COUPON awards are handed over by a signed call to the webhook that the award names. */
@NullMarked
package lottery.fulfilment.coupon;

import org.jspecify.annotations.NullMarked;
