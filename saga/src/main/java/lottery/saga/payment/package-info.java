/** The saga of a payment sees to it that its money is found, and that the SKU is delivered or the money given back. */
@NullMarked
package lottery.saga.payment;

import org.jspecify.annotations.NullMarked;
