/** Payments by Alipay, with its official library. */
@NullMarked
package lottery.alipay;

import org.jspecify.annotations.NullMarked;
