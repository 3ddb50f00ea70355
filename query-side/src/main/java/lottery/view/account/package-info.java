/** This read model counts the chances that a user was given in an activity, and those that are left. */
@NullMarked
package lottery.view.account;

import org.jspecify.annotations.NullMarked;
