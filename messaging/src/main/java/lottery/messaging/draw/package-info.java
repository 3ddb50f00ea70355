/** The queue of requests for draws, which lies on a topic of Kafka. */
@NullMarked
package lottery.messaging.draw;

import org.jspecify.annotations.NullMarked;
