/** This read model sums up what happens in an activity, day by day. */
@NullMarked
package lottery.view.figures;

import org.jspecify.annotations.NullMarked;
