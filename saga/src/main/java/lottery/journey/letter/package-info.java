/** Letters to and from fulfilment: CloudEvents over Kafka, and what becomes of those that nobody can read. */
@NullMarked
package lottery.journey.letter;

import org.jspecify.annotations.NullMarked;
