/** The log of all events, as it is read: every reader sees the same order without gaps. */
@NullMarked
package lottery.store.log;

import org.jspecify.annotations.NullMarked;
