/**
 * Messages over Kafka: how they leave with a batch of events, how they are read, and what becomes of unreadable ones.
 */
@NullMarked
package lottery.messaging;

import org.jspecify.annotations.NullMarked;
