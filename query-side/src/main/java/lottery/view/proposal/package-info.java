/** Which actions wait for a second person, and what was decided about them. */
@NullMarked
package lottery.view.proposal;

import org.jspecify.annotations.NullMarked;
