/**
 * Process managers: what follows from a win until the award has reached its user, and what follows from time alone, for
 * activities and for recharges that are paid for later.
 */
@NullMarked
package lottery.journey;

import org.jspecify.annotations.NullMarked;
