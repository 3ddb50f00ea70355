/** Entitlements: content that a user may read, because they paid for it or won it. */
@NullMarked
package lottery.api.entitlement;

import org.jspecify.annotations.NullMarked;
