/** The public feed publishes events to everybody, in messages of its own. */
@NullMarked
package lottery.messaging.feed;

import org.jspecify.annotations.NullMarked;
