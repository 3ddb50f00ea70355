/** Shows the history of one account: its draws, its orders and its recharges. */
@NullMarked
package lottery.view.history;

import org.jspecify.annotations.NullMarked;
