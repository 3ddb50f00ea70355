/** How a draw is decided: pure values, that find the same whenever they are asked the same. */
@NullMarked
package lottery.rule;

import org.jspecify.annotations.NullMarked;
