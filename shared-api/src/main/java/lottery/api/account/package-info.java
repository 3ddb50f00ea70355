/** The chances of one user in one activity, and the recharges that brought them. */
@NullMarked
package lottery.api.account;

import org.jspecify.annotations.NullMarked;
