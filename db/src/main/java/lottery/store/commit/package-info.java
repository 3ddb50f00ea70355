/** Appends to the log: one commit writes the events, claims and series numbers of many units of work. */
@NullMarked
package lottery.store.commit;

import org.jspecify.annotations.NullMarked;
