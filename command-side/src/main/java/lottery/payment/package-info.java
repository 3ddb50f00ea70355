/** Payments: SKUs are sold for money, which providers take and give back. */
@NullMarked
package lottery.payment;

import org.jspecify.annotations.NullMarked;
