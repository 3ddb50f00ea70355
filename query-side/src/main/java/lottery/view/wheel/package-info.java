/** The wheel shows the awards of an activity as one user sees them today. */
@NullMarked
package lottery.view.wheel;

import org.jspecify.annotations.NullMarked;
