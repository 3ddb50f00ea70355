/** How many units each caller may take per second, on all processes together. */
@NullMarked
package lottery.limit;

import org.jspecify.annotations.NullMarked;
