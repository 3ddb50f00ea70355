/** Admission control: units of work begin only as fast as processors can follow. */
@NullMarked
package lottery.store.pace;

import org.jspecify.annotations.NullMarked;
