/** Recharges give an account the chances of a SKU: for nothing, for credits, or for a payment that comes later. */
@NullMarked
package lottery.recharge;

import org.jspecify.annotations.NullMarked;
