/** Says in a sentence why the lottery cannot start, and what to do about it. */
@NullMarked
package lottery.app.startup;

import org.jspecify.annotations.NullMarked;
