/** Pools: the entries of an activity that are drawn together, at one time. */
@NullMarked
package lottery.pool;

import org.jspecify.annotations.NullMarked;
