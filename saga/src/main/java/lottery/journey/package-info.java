/** Connects: what follows from a win, by way of Kafka, until the award has reached its user. */
@NullMarked
package lottery.journey;

import org.jspecify.annotations.NullMarked;
