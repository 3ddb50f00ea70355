/** An activity: its definition, its states and what happens to it. */
@NullMarked
package lottery.api.activity;

import org.jspecify.annotations.NullMarked;
