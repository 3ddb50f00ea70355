/** The saga of an activity starts it, closes it and publishes its seeds. */
@NullMarked
package lottery.saga.activity;

import org.jspecify.annotations.NullMarked;
