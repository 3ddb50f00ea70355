/** The saga of a pool closes, freezes and draws it, and lets reserves move up. */
@NullMarked
package lottery.journey.pool;

import org.jspecify.annotations.NullMarked;
