/** How many chances a user was given in an activity, and how many of them are left. */
@NullMarked
package lottery.view.account;

import org.jspecify.annotations.NullMarked;
