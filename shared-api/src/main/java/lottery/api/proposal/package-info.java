/** Actions that need two persons: one proposes an action, and another one agrees to it. */
@NullMarked
package lottery.api.proposal;

import org.jspecify.annotations.NullMarked;
