/** An entitlement lets a user read content. Recharges and awards give it, and refunds take it back. */
@NullMarked
package lottery.entitlement;

import org.jspecify.annotations.NullMarked;
