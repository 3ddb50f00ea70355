/** Which activities there are, by which zone they live and how far they are. */
@NullMarked
package lottery.view.activity;

import org.jspecify.annotations.NullMarked;
