/**
 * Connects: what follows from a win, here or by way of Kafka, until the award has reached its user; and what follows
 * from time alone, for campaigns and for recharges that are paid for later.
 */
@NullMarked
package lottery.journey;

import org.jspecify.annotations.NullMarked;
