/** An activity: its states, when it is open, and how it is found without waiting. */
@NullMarked
package lottery.activity;

import org.jspecify.annotations.NullMarked;
