/** The content that each user may read. */
@NullMarked
package lottery.view.entitlement;

import org.jspecify.annotations.NullMarked;
