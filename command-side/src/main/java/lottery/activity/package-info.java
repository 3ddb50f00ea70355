/** Activities have states and dates, and are cached so that they are found without a wait. */
@NullMarked
package lottery.activity;

import org.jspecify.annotations.NullMarked;
