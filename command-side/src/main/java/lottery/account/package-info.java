/** Accounts hold a user's chances, which are recharged by SKU and spent by drawing. */
@NullMarked
package lottery.account;

import org.jspecify.annotations.NullMarked;
