/** A won award on its way from won to granted. */
@NullMarked
package lottery.api.award;

import org.jspecify.annotations.NullMarked;
