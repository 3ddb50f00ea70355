/** A simulation plays an activity in memory: it takes nothing, and stores nothing. */
@NullMarked
package lottery.simulation;

import org.jspecify.annotations.NullMarked;
