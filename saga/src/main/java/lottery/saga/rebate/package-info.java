/**
 * The saga of a behaviour sends the commands that give its rebates, each once. Behaviours also come from other systems
 * over Kafka.
 */
@NullMarked
package lottery.saga.rebate;

import org.jspecify.annotations.NullMarked;
