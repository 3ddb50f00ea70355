/** A user's chances: recharged by SKU, spent by drawing. */
@NullMarked
package lottery.account;

import org.jspecify.annotations.NullMarked;
