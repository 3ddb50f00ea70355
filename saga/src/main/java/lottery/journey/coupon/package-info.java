/** The fulfilment of COUPON awards: a signed call to the webhook that the award names. */
@NullMarked
package lottery.journey.coupon;

import org.jspecify.annotations.NullMarked;
