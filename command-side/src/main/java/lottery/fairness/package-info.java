/** Draws follow from secret seeds, which are committed to before a round begins and published after it. */
@NullMarked
package lottery.fairness;

import org.jspecify.annotations.NullMarked;
