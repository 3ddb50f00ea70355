/** The way of a command to its aggregate, and of the answer back. */
@NullMarked
package lottery.store.command;

import org.jspecify.annotations.NullMarked;
