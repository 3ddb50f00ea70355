/** Operators upload pools of codes, and each winner gets one of them. */
@NullMarked
package lottery.fulfilment.code;

import org.jspecify.annotations.NullMarked;
