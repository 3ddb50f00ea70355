/** Messages are sent to Kafka with a batch of events and read in batches; unreadable ones become dead letters. */
@NullMarked
package lottery.messaging;

import org.jspecify.annotations.NullMarked;
