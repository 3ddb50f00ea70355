/** As many units of work begin as those can follow who read what they write. */
@NullMarked
package lottery.store.pace;

import org.jspecify.annotations.NullMarked;
