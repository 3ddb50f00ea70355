/** The public feed: it publishes events as messages with a schema of their own. */
@NullMarked
package lottery.messaging.feed;

import org.jspecify.annotations.NullMarked;
