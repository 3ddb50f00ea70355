/**
 * The log of all events: one commit appends the events of many callers, and every reader sees the same order without
 * gaps.
 */
@NullMarked
package lottery.store.log;

import org.jspecify.annotations.NullMarked;
