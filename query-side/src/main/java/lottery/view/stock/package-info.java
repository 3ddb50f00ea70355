/** What is left of what there is only so much of. */
@NullMarked
package lottery.view.stock;

import org.jspecify.annotations.NullMarked;
