/** Sagas lead a won award to its user, start and close activities at their times, and close unpaid recharges. */
@NullMarked
package lottery.saga;

import org.jspecify.annotations.NullMarked;
