/** Rebates: what users earn by their behaviours, such as a sign-in or a share. */
@NullMarked
package lottery.api.rebate;

import org.jspecify.annotations.NullMarked;
