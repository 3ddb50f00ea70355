/** The sagas of an activity start it, close it, publish its seeds and cancel the orders that are open at its end. */
@NullMarked
package lottery.saga.activity;

import org.jspecify.annotations.NullMarked;
