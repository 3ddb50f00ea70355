/** Accounts hold a user's chances, and decide whether one may be spent. */
@NullMarked
package lottery.account;

import org.jspecify.annotations.NullMarked;
