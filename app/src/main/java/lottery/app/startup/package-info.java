/** Explains in one sentence why the lottery cannot start, and how to correct it. */
@NullMarked
package lottery.app.startup;

import org.jspecify.annotations.NullMarked;
