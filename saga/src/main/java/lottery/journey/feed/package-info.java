/** What the lottery tells everybody: the public feed, in messages of its own. */
@NullMarked
package lottery.journey.feed;

import org.jspecify.annotations.NullMarked;
