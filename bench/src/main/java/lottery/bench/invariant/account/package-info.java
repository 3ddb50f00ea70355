/** Invariants of accounts: quotas, recharges, limits of SKUs, credits, rebates and sign-ins. */
@NullMarked
package lottery.bench.invariant.account;

import org.jspecify.annotations.NullMarked;
