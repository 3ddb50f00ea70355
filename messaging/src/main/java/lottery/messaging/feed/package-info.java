/** What the lottery tells everybody: the public feed, in messages of its own. */
@NullMarked
package lottery.messaging.feed;

import org.jspecify.annotations.NullMarked;
