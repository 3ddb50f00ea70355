/** Sagas lead a won award to its user, start and close activities at their times, and close unpaid recharges. */
@NullMarked
package lottery.journey;

import org.jspecify.annotations.NullMarked;
