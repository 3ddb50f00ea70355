/** Sagas send their commands from here, after the commit of their state. */
@NullMarked
package lottery.saga.command;

import org.jspecify.annotations.NullMarked;
