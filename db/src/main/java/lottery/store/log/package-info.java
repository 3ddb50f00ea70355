/** The log of all events: many callers append in one commit, and everybody reads the same order without a hole. */
@NullMarked
package lottery.store.log;

import org.jspecify.annotations.NullMarked;
