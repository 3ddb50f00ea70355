/** What there are only so many of: stocks, whose units are taken in the same commit as the draw that takes them. */
@NullMarked
package lottery.stock;

import org.jspecify.annotations.NullMarked;
