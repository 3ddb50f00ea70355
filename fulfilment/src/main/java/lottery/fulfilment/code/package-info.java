/** Pools of codes that operators upload, and the fulfilment that gives each winner one of them. */
@NullMarked
package lottery.fulfilment.code;

import org.jspecify.annotations.NullMarked;
