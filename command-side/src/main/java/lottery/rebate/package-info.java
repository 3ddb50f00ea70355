/** Rebates: rules say what behaviours of users earn, and each rebate is given once. */
@NullMarked
package lottery.rebate;

import org.jspecify.annotations.NullMarked;
