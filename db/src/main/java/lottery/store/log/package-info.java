/** The log of all events: many callers append in one commit, and every reader sees the same order without gaps. */
@NullMarked
package lottery.store.log;

import org.jspecify.annotations.NullMarked;
