/** A user's credits: won, given and spent, one booking after another. */
@NullMarked
package lottery.api.credit;

import org.jspecify.annotations.NullMarked;
