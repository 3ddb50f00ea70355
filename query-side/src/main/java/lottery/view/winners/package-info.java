/** The latest winners of an activity, for everybody to see: read, and told as they come. */
@NullMarked
package lottery.view.winners;

import org.jspecify.annotations.NullMarked;
