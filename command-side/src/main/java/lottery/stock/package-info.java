/** What there are only so many of: shelves, whose slots are taken in the same commit as the draw that takes them. */
@NullMarked
package lottery.stock;

import org.jspecify.annotations.NullMarked;
