/** A strategy defines awards and their odds in versions. */
@NullMarked
package lottery.strategy;

import org.jspecify.annotations.NullMarked;
