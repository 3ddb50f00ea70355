/** The saga of a pool closes, freezes and draws it, and lets reserves move up. */
@NullMarked
package lottery.saga.pool;

import org.jspecify.annotations.NullMarked;
