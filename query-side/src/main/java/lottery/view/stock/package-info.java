/** This read model counts the units that are left of limited stock. */
@NullMarked
package lottery.view.stock;

import org.jspecify.annotations.NullMarked;
