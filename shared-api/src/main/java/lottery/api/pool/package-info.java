/** Messages about pools: the entries of an activity that is drawn at one time. */
@NullMarked
package lottery.api.pool;

import org.jspecify.annotations.NullMarked;
