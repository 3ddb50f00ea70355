/** Limited stock consists of units that are taken in the same commit as the draw that takes them. */
@NullMarked
package lottery.stock;

import org.jspecify.annotations.NullMarked;
