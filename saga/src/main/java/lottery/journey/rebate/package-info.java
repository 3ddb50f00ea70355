/** The saga of a behaviour lets its rebates be given, each once. Behaviours also come from other systems over Kafka. */
@NullMarked
package lottery.journey.rebate;

import org.jspecify.annotations.NullMarked;
