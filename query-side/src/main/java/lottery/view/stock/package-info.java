/** Reads how many units are left of limited stock, from the counters of the command side. */
@NullMarked
package lottery.view.stock;

import org.jspecify.annotations.NullMarked;
