/** The payments of users, for themselves and for the desk. */
@NullMarked
package lottery.view.payment;

import org.jspecify.annotations.NullMarked;
