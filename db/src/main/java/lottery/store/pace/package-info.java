/** Admission control: it lets units of work begin only as fast as processors can handle their events. */
@NullMarked
package lottery.store.pace;

import org.jspecify.annotations.NullMarked;
