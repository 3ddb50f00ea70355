/** This read model lists and streams the latest winners of an activity. */
@NullMarked
package lottery.view.winners;

import org.jspecify.annotations.NullMarked;
