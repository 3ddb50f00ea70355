/** The queue of requests for draws, which is a Kafka topic. */
@NullMarked
package lottery.messaging.draw;

import org.jspecify.annotations.NullMarked;
