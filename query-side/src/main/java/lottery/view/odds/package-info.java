/** Whether draws come out as was promised. */
@NullMarked
package lottery.view.odds;

import org.jspecify.annotations.NullMarked;
