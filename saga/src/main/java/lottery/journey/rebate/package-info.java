/** The saga of a behaviour has its rebates given, each once. Behaviours also come from other systems over Kafka. */
@NullMarked
package lottery.journey.rebate;

import org.jspecify.annotations.NullMarked;
