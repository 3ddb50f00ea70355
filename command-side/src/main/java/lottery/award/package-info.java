/** A won award, from won to granted. */
@NullMarked
package lottery.award;

import org.jspecify.annotations.NullMarked;
