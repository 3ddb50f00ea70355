/** The one runnable: which roles it has, what it needs from outside, and what it says when it is up. */
@NullMarked
package lottery.app;

import org.jspecify.annotations.NullMarked;
