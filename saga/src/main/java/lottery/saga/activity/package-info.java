/**
 * The saga of an activity starts it, closes it, publishes its seeds, and cancels the orders that are open at its end.
 */
@NullMarked
package lottery.saga.activity;

import org.jspecify.annotations.NullMarked;
