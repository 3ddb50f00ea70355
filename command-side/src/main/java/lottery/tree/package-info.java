/** Decision trees: what is wrong with one, and what one comes to. It knows neither awards nor activities. */
@NullMarked
package lottery.tree;

import org.jspecify.annotations.NullMarked;
