/** This read model counts the chances that a user was given in an activity, and the chances that are left. */
@NullMarked
package lottery.view.account;

import org.jspecify.annotations.NullMarked;
