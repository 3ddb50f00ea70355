/** Shows what one account has had: its draws, its orders and its recharges. */
@NullMarked
package lottery.view.history;

import org.jspecify.annotations.NullMarked;
