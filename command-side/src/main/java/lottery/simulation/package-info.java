/** What an activity would come to, tried out in memory: nothing is taken, written or left behind. */
@NullMarked
package lottery.simulation;

import org.jspecify.annotations.NullMarked;
