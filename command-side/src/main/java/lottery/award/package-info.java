/** An award record leads a won award from its win to its grant. */
@NullMarked
package lottery.award;

import org.jspecify.annotations.NullMarked;
