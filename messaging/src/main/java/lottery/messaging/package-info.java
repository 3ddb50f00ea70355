/**
 * Sends messages to Kafka together with a batch of events, and reads messages in batches. Unreadable messages become
 * dead letters.
 */
@NullMarked
package lottery.messaging;

import org.jspecify.annotations.NullMarked;
