/** Draws are decided by pure functions: the same inputs give the same result. */
@NullMarked
package lottery.rule;

import org.jspecify.annotations.NullMarked;
