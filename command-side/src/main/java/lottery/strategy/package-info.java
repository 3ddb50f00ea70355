/** Awards and odds: what a draw comes to, as pure rules. */
@NullMarked
package lottery.strategy;

import org.jspecify.annotations.NullMarked;
