/** A user's credits: each booking once, and never more spent than there are. */
@NullMarked
package lottery.credit;

import org.jspecify.annotations.NullMarked;
