/** Draws decided again: explained, verified, and handed out so that others can verify them. */
@NullMarked
package lottery.proof;

import org.jspecify.annotations.NullMarked;
