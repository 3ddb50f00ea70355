/** Draws are decided again, to explain and verify them, and exported so that others can verify them. */
@NullMarked
package lottery.proof;

import org.jspecify.annotations.NullMarked;
