/** Payments: money for a SKU, taken by a provider, and given back if the SKU cannot be delivered. */
@NullMarked
package lottery.api.payment;

import org.jspecify.annotations.NullMarked;
